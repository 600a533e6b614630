/** Parses the body of `POST /snapshots`; problems are returned as values. Pure. */
import { refusalOf } from '../../core/domain/errors.ts';
import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { Included } from '../../core/filter/controls.ts';
import { type ParameterReading, parseFilterObject } from '../../core/filter/parse.ts';
import { readStored } from '../../core/filter/stored.ts';
import { derivedNeedsFull, readInclude } from '../../core/search/includeProblems.ts';
import { contradiction } from '../../core/search/parameterProblems.ts';
import { denialProblems, type Selection, selectionOf } from '../../core/search/select.ts';
import type { BodyReading } from '../../http/declaration.ts';
import { type SyncRequest, walkRequest } from '../sync/index.ts';
import type { Compression, GeoParquet, SnapshotFormat } from './formats.ts';
import type { SnapshotForm, SnapshotPayload } from './types.ts';

export interface SnapshotBody {
  filters?: Record<string, unknown>;
  representation?: SnapshotForm['representation'];
  include?: Included | Included[];
  format?: SnapshotFormat;
  compression?: Compression;
  geoparquet?: GeoParquet;
  maxCredits?: number;
}

/** The selection of a snapshot, and the walk that continues it. */
export interface SnapshotScope {
  selection: Selection;
  walk: SyncRequest;
}

/** Parses a body beyond its schema. */
export function readSnapshotBody(
  body: Readonly<Record<string, unknown>>,
  principal: Principal,
  places: Places,
): BodyReading<ParameterReading> {
  const filters = parseFilterObject(body.filters ?? {}, 'filters.', places);
  const isParquet = body.format === 'parquet';
  const ofForm = [
    ...(isParquet && body.compression !== undefined ? [compressedTwice()] : []),
    ...(!isParquet && body.geoparquet !== undefined ? [parquetOnly()] : []),
  ];
  const { problems: ofInclude, include } = readInclude(body.include, 'derived');
  const needsFull = include && body.representation !== 'full' ? [derivedNeedsFull()] : [];
  return {
    problems: [...ofForm, ...ofInclude, ...needsFull, ...filters.problems, ...denialProblems(filters, principal, places)],
    value: filters,
  };
}

const compressedTwice = () =>
  contradiction('compression', 'compression contradicts format=parquet, whose files are compressed within; leave it out');

const parquetOnly = () =>
  contradiction('geoparquet', 'geoparquet is a version of Parquet files; send format=parquet with it, or leave it out');

export const formOf = ({
  representation = 'standard',
  include,
  format = 'ndjson',
  compression,
  geoparquet = '1.1',
}: SnapshotBody): SnapshotForm => ({
  representation,
  withDerived: include !== undefined,
  format,
  compression: format === 'parquet' ? null : (compression ?? 'gzip'),
  geoparquet: format === 'parquet' ? geoparquet : null,
});

export const parametersOf = ({ filters = {} }: SnapshotBody): SnapshotPayload['parameters'] =>
  Object.entries(filters).map(([name, value]) => [name, [value]]);

/** @param today the service day at acceptance, `YYYY-MM-DD` */
export function snapshotScopeOf(
  { filters, warnings }: Pick<ParameterReading, 'filters' | 'warnings'>,
  licensed: Pick<Principal, 'licence'>,
  { representation }: Pick<SnapshotForm, 'representation'>,
  today: string,
): SnapshotScope {
  const selection = selectionOf(filters, licensed, today, warnings);
  return { selection, walk: walkRequest(selection, { representation }, '') };
}

/**
 * The set of an accepted snapshot, on the day of its acceptance.
 * @throws Error when this version of the service cannot parse what another accepted
 */
export function acceptedScope({ parameters, licence, today, representation }: SnapshotPayload, places: Places): SnapshotScope {
  const reading = readStored(parameters, {}, places);
  if (reading.problems.length)
    throw new Error(`The filters of an accepted snapshot have problems: ${JSON.stringify(reading.problems)}`, {
      cause: refusalOf(reading.problems),
    });
  return snapshotScopeOf(reading, { licence }, { representation }, today);
}
