/** The file of a snapshot that holds the restrictions of the licence: all of them, since they are free and few. */
import type { Restriction } from '../../core/domain/restriction/schemas.ts';
import { readLicensed, showRestriction } from '../restrictions/index.ts';
import type { Building } from './building.ts';
import { compressed, RESTRICTIONS_NUMBER, storedNameOf } from './files.ts';
import { parquetFile } from './parquetFile.ts';
import { restrictionColumns } from './parquetSchema.ts';
import type { SnapshotForm } from './types.ts';

/** Writes the restrictions of the licence, by id, as served on the day of acceptance; no file where there are none. */
export async function writeRestrictions({ services, job, context, files, begun }: Building): Promise<void> {
  const { licence, today, ...form } = job.payload;
  const licensed = await readLicensed(services, { principal: { licence } });
  if (!licensed.length) return;
  const restrictions = licensed.map((one) => showRestriction(one, today)).sort((a, b) => a.id - b.id);
  const [number, storedAs] = [RESTRICTIONS_NUMBER, storedNameOf(job.id, job.attempt, form, RESTRICTIONS_NUMBER)];
  await context.write((tx) => services.snapshots.beginFile(tx, job, number, storedAs));
  begun.add(storedAs);
  const written = await files.write(storedAs, contentOf(restrictions, form), context.signal);
  await context.write((tx) => services.snapshots.finishFile(tx, job, { number, storedAs, ...written, recordCount: restrictions.length }));
}

function contentOf(restrictions: readonly Restriction[], { format, compression }: Pick<SnapshotForm, 'format' | 'compression'>) {
  if (format === 'parquet') {
    const rows = restrictions.map((one) => ({ ...one, latitude: one.point?.lat, longitude: one.point?.lng }));
    return parquetFile(only(rows), restrictionColumns(), rows.length);
  }
  return compressed(only(Buffer.from(restrictions.map((one) => `${JSON.stringify(one)}\n`).join(''))), compression);
}

async function* only<T>(value: T): AsyncGenerator<T> {
  yield value;
}
