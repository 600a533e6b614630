/** Names and contents of a snapshot's files. */
import { pipeline, Readable } from 'node:stream';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { COMPRESSIONS, type Compression } from './formats.ts';
import type { SnapshotForm } from './types.ts';

/** Higher compression levels cost more time than they save space. */
const GZIP_LEVEL = 4;

const SUFFIX: Record<Compression, string> = { gzip: 'gz', zstd: 'zst' };
const CONTENT_TYPE: Record<Compression, string> = { gzip: 'application/gzip', zstd: 'application/zstd' };
const PARQUET_TYPE = 'application/vnd.apache.parquet';
const NUMBER_DIGITS = 5;

/** Bytes of a compressed record, estimated generously, to check before a build whether there is room for the files. */
const RECORD_BYTES: Record<Representation, number> = { compact: 500, standard: 2_000, full: 5_000 };

const suffixOf = ({ format, compression }: Pick<SnapshotForm, 'format' | 'compression'>) =>
  [format, ...(compression ? [SUFFIX[compression]] : [])].join('.');

/** The number of the file of restrictions; those of records begin with 1. */
export const RESTRICTIONS_NUMBER = 0;

/** The name of a file as clients see it, such as `part-00001.ndjson.gz`. */
export const fileNameOf = (form: Pick<SnapshotForm, 'format' | 'compression'>, number: number): string =>
  `${number === RESTRICTIONS_NUMBER ? 'restrictions' : `part-${String(number).padStart(NUMBER_DIGITS, '0')}`}.${suffixOf(form)}`;

/** The pattern of these names. */
export const FILE_NAME = /^(?:part-(\d{5,9})|restrictions)\.(ndjson\.gz|ndjson\.zst|parquet)$/;

/** The number in such a name; undefined for another name. */
export const numberIn = (name: string): number | undefined => {
  const found = FILE_NAME.exec(name);
  return found ? Number(found[1] ?? RESTRICTIONS_NUMBER) : undefined;
};

/** The stored name of a file, different for each attempt. */
export const storedNameOf = (id: string, attempt: number, form: Pick<SnapshotForm, 'format' | 'compression'>, number: number): string =>
  `${id}-${attempt}-${fileNameOf(form, number)}`;

export const contentTypeOf = ({ compression }: Pick<SnapshotForm, 'compression'>): string =>
  compression ? CONTENT_TYPE[compression] : PARQUET_TYPE;

export const CONTENT_TYPES: readonly (readonly [form: string, contentType: string])[] = [
  ...COMPRESSIONS.map((compression) => [`NDJSON, ${compression}`, CONTENT_TYPE[compression]] as const),
  ['Parquet', PARQUET_TYPE],
];

/** The estimated size of the files of a number of records, in bytes. */
export const expectedBytes = (representation: Representation, records: number): number => records * RECORD_BYTES[representation];

/** Compresses content on another thread. @throws errors of the content */
export async function* compressed(content: AsyncIterable<Uint8Array>, compression: Compression | null): AsyncGenerator<Uint8Array> {
  if (compression === null) return yield* content;
  const stream = compression === 'gzip' ? createGzip({ level: GZIP_LEVEL }) : createZstdCompress();
  // Its error reaches the reader, since the pipeline destroys the stream with it.
  pipeline(Readable.from(content, { highWaterMark: 1 }), stream, () => undefined);
  yield* stream;
}
