/** The report of a load: figures by place against what is served, and findings. It is made before anything is served, and kept with the commit. */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { LineageStore } from '../../src/core/store/postgres/lineageStore.ts';
import { type Acceptance, listRefusals, writeAcceptOptions } from '../findings/acceptance.ts';
import type { LoadFinding } from '../findings/finding.ts';
import { findLosses, isLoss } from '../findings/losses.ts';
import { type FiguredPlace, type FiguresByPlace, parsePlaceKey, placeKey } from '../findings/placeFigures.ts';
import type { FindingRules, LoadReport, ReportedPlace } from '../findings/types.ts';
import { LoadRefused } from '../loadRefused.ts';
import type { GenerationSet, GenerationStore } from './generationSets.ts';
import type { Load } from './loadContext.ts';
import { type CurrentLineage, countFigures, readFigures } from './recordedCommits.ts';

/** Makes the report; call it after all writes. */
export async function makeLoadReport(load: Load): Promise<LoadReport> {
  const { generations, source, counts, target } = load;
  const { served } = generations;
  const byPlace = { now: target.figures.places, served: target.servedPlaces };
  return {
    generation: source.header.generation,
    base: served?.generation ?? null,
    records: {
      stated: counts.projects,
      new: counts.added,
      changed: counts.changed,
      unchanged: counts.unchanged,
      removed: counts.deleted,
      carriedOver: counts.uncovered,
    },
    places: comparePlaces(byPlace.now, byPlace.served),
    findings: sortFindings([
      ...(served ? await findLoadLosses(load, served) : []),
      ...load.source.collectors.flatMap((collector) => collector.listFindings(byPlace)),
      ...(await readWaitingFindings(load)),
    ]),
  };
}

async function findLoadLosses({ store, opened, source, places, thresholds, target }: Load, served: GenerationSet): Promise<LoadFinding[]> {
  const { figures } = target;
  const total = { now: figures.figures, served: await readFigures(store, opened, served) };
  const byPlace = { now: figures.places, served: target.servedPlaces };
  return findLosses({ total, byPlace, listLost: figures.listLost }, { ...thresholds, places, mode: source.header.mode });
}

/** What was found in a generation that waits to be served, and is not found in its figures: an increment of it leaves that as it is. */
async function readWaitingFindings({ opened, base }: Load): Promise<LoadFinding[]> {
  const { set } = base;
  if (!base.isHeld || !set || set.served || set.lineage !== null) return [];
  const report = await readReport(opened, set);
  return report?.findings.filter((finding) => !isLoss(finding)) ?? [];
}

/** Those that refuse first, then by number. */
const sortFindings = (findings: LoadFinding[]) =>
  findings.sort((a, b) => Number(b.severity === 'refuse') - Number(a.severity === 'refuse') || b.count - a.count);

function comparePlaces(now: FiguresByPlace, served: FiguresByPlace): ReportedPlace[] {
  const keys = [...new Set([...served.keys(), ...now.keys()])];
  const places = keys.map((key) => {
    const [left, had] = [now.get(key), served.get(key)];
    const compare = (name: string) => ({ now: left?.fields[name] ?? 0, served: had?.fields[name] ?? 0 });
    const names = [...new Set([...Object.keys(had?.fields ?? {}), ...Object.keys(left?.fields ?? {})])].sort();
    return {
      ...parsePlaceKey(key),
      records: { now: left?.records ?? 0, served: had?.records ?? 0 },
      fields: Object.fromEntries(names.map((name) => [name, compare(name)])),
    };
  });
  const isAny = ({ records }: ReportedPlace) => records.now > 0 || records.served > 0;
  const order = ({ stateId, countyId, decisionBody }: FiguredPlace) => [stateId, countyId ?? 0, decisionBody ?? ''] as const;
  return places.filter(isAny).sort((a, b) => {
    const [x, y] = [order(a), order(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2].localeCompare(y[2]);
  });
}

/** @throws LoadRefused if a finding refuses and is not accepted. @param command that repeats what was refused, without its options */
export function refuseFindings(findings: readonly LoadFinding[], accept: readonly Acceptance[], { what, command }: Refused): void {
  const refusals = listRefusals(findings, accept);
  if (!refusals.length) return;
  const others = accept.map(({ code, place }) => `--accept ${place === null ? code : `'${code}:${place}'`}`);
  throw new LoadRefused(
    `${what}. If this is right: ${[command, ...others, writeAcceptOptions(refusals)].join(' ')}`,
    refusals.map(({ code, text }) => `${code}: ${text}`),
    { findings: refusals },
  );
}

interface Refused {
  /** what was refused, in words */
  what: string;
  command: string;
}

/** What was found in a set that was never served. If an earlier version loaded it, only what it lacks is found. */
export async function readFindings(
  store: GenerationStore,
  set: GenerationSet,
  served: GenerationSet | undefined,
  { opened, places, thresholds }: FindingRules & { opened: CurrentLineage },
): Promise<readonly LoadFinding[]> {
  const report = await readReport(opened, set);
  if (report || !served) return report?.findings ?? [];
  const total = { now: await readFigures(store, opened, set), served: await readFigures(store, opened, served) };
  const byPlace = { now: (await countFigures(store, set)).places, served: await readPlaceFigures(store, opened, served) };
  return findLosses({ total, byPlace, listLost: () => [] }, { ...thresholds, places, mode: 'full' });
}

/** The columns of a commit that keep its report. */
export async function toRecordedReport(report: LoadReport) {
  const counts: Record<string, number> = {};
  for (const { code, count } of report.findings) counts[code] = (counts[code] ?? 0) + count;
  return {
    findings: counts,
    report: await promisify(zstdCompress)(JSON.stringify(report)),
  };
}

export const parseReport = async (kept: Buffer): Promise<LoadReport> => JSON.parse(String(await promisify(zstdDecompress)(kept)));

/** The report of the newest load into a set; undefined if none is kept, as of sets that an earlier version loaded. */
export async function readReport(
  { id, lineages }: Pick<CurrentLineage, 'id' | 'lineages'>,
  set: GenerationSet,
): Promise<LoadReport | undefined> {
  const kept = await lineages.readReport(id, set);
  return kept && parseReport(kept);
}

/** Figures by place of what a set shows: from the report of its newest load, else counted. */
export async function readPlaceFigures(store: GenerationStore, opened: CurrentLineage, set: GenerationSet): Promise<FiguresByPlace> {
  const report = await readReport(opened, set);
  return report ? toFigures(report) : (await countFigures(store, set)).places;
}

const toFigures = ({ places }: LoadReport): FiguresByPlace =>
  new Map(
    places.map(({ records, fields, ...place }) => {
      const stated = Object.entries(fields).map(([name, { now }]) => [name, now] as const);
      return [placeKey(place), { records: records.now, fields: Object.fromEntries(stated) }];
    }),
  );

/** The report of a generation, or of the newest set. @throws LoadRefused if none is kept */
export async function findReport(store: GenerationStore, recorded: LineageStore, generation?: number): Promise<LoadReport> {
  const [{ sets }, lineage] = await Promise.all([store.read(), recorded.readCurrent(Number.MAX_SAFE_INTEGER)]);
  const set = sets.findLast((one) => generation === undefined || one.generation === generation);
  const number = generation ?? set?.generation;
  const kept =
    lineage &&
    ((set && (await recorded.readReport(lineage.id, set))) ??
      (number === undefined ? undefined : await recorded.readServedReport(lineage.id, number)));
  if (kept) return parseReport(kept);
  const known = [...new Set(sets.map((one) => one.generation))].join(', ');
  throw new LoadRefused(
    `No report of ${number === undefined ? 'a generation' : `generation ${number}`} is kept; ${known ? `loaded: ${known}` : 'nothing is loaded yet'}`,
  );
}
