/** `POST /projects/match`: finds the records that the rows of a client's list mean. */
import { type Principal, type Scope, scopeOf } from '../../core/domain/principal.ts';
import type { HoldingStore } from '../../core/ledger/holdings.ts';
import type { Clause } from '../../core/query/clauses.ts';
import type { Actor } from '../../core/search/actor.ts';

import type { OperationAnswer } from '../../core/search/services.ts';
import { searchUnavailable } from '../../core/store/elastic/client.ts';
import { waitForLoopTurn } from '../../core/store/loopTurn.ts';
import { makeCaseSeriesQuery, makeFuzzyQuery, makeIdentifierQuery, makeOtherStreetsQuery } from './queries.ts';
import { findLooseStreet, type Scored, scoreCandidates } from './score.ts';
import type { MatchStore } from './store.ts';
import type { MatchReason, NamedRow, SentRow } from './types.ts';

export const CANDIDATES_USUAL = 1;
export const SCORE_USUAL = 0.8;

export interface MatchServices {
  matches: Pick<MatchStore, 'find' | 'findsAny'>;
  holdings: Pick<HoldingStore, 'heldAmong'>;
}

export interface MatchBody {
  rows: SentRow[];
  limit?: number;
  minScore?: number;
}

export interface RowMatches {
  index: number;
  ref: string | null;
  candidates: { id: number; score: number; reasons: MatchReason[]; held: boolean }[];
  candidateCount: number;
}

/** With a candidate of at least this score, a row is not searched for further ones. */
const SURE_SCORE = 0.95;

/** Rows that are matched at a time; between two batches, others get their turn. */
const ROWS_AT_ONCE = 50;
/** Scoring of rows with many candidates lets others use the event loop after this time. */
const SCORING_MS = 5;

/** The candidates of each row, best first. @throws ApiError `search_unavailable` */
async function findCandidates(
  store: MatchServices['matches'],
  rows: readonly NamedRow[],
  scope: Scope,
  signal?: AbortSignal,
): Promise<Scored[][]> {
  const keys = rows.map((row) => makeIdentifierQuery(row, scope));
  const found = await store.find(keys, signal);
  const scored = await mapInTurns(rows, (row, i) => scoreCandidates(row, found[i] ?? []), signal);
  const isUnsure = (i: number) => (scored[i]?.[0]?.score ?? 0) < SURE_SCORE;
  const further = rows.map((row, i) => (isUnsure(i) ? makeFuzzyQuery(row, scope) : undefined));
  const neighbours = rows.map((row, i) => (isUnsure(i) && scored[i]?.length ? makeCaseSeriesQuery(row, scope) : undefined));
  const [more, numbered] = await Promise.all([
    askDefined(further, (queries) => store.find(queries, signal)),
    askDefined(neighbours, (queries) => store.findsAny(queries, signal)),
  ]);
  const known = rows.map((row, i): NamedRow => (numbered[i] === false ? { ...row, hasNoNeighbours: true } : row));
  const all = found.map((some, i) => [...new Map([...some, ...(more[i] ?? [])].map((record) => [record.id, record])).values()]);
  const isUnchanged = (i: number) => !more[i] && numbered[i] === undefined;
  const scoreAgain = (row: NamedRow, i: number) => (isUnchanged(i) ? (scored[i] ?? []) : scoreCandidates(row, all[i] ?? []));
  const again = await mapInTurns(known, scoreAgain, signal);
  const streets = known.map((row, i) => makeStreetQuery(row, again[i]?.[0], scope));
  const hasOthers = await askDefined(streets, (queries) => store.findsAny(queries, signal));
  const scoreAmongStreets = (row: NamedRow, i: number) =>
    hasOthers[i] ? scoreCandidates({ ...row, hasOtherStreets: true }, all[i] ?? []) : (again[i] ?? []);
  return mapInTurns(known, scoreAmongStreets, signal);
}

/** The query for other streets than that of the best candidate, if the row may mean one. */
function makeStreetQuery(row: NamedRow, best: Scored | undefined, scope: Scope): Clause | undefined {
  const loose = best && findLooseStreet(row, best);
  return loose && makeOtherStreetsQuery(loose, best.record, row, scope);
}

/** @throws ApiError `search_unavailable` when `signal` aborts */
async function mapInTurns<R>(rows: readonly NamedRow[], map: (row: NamedRow, i: number) => R, signal?: AbortSignal): Promise<R[]> {
  const made: R[] = [];
  let began = performance.now();
  for (const [i, row] of rows.entries()) {
    made.push(map(row, i));
    if (performance.now() - began < SCORING_MS) continue;
    await waitForLoopTurn();
    if (signal?.aborted) throw searchUnavailable(signal.reason);
    began = performance.now();
  }
  return made;
}

/** Asks the defined questions together, and returns each answer at the place of its question. */
async function askDefined<Q, A>(questions: readonly (Q | undefined)[], ask: (some: Q[]) => Promise<A[]>): Promise<(A | undefined)[]> {
  const answers = await ask(questions.flatMap((question) => question ?? []) as Q[]);
  let next = 0;
  return questions.map((question) => (question === undefined ? undefined : answers[next++]));
}

/** Matches the rows, some at a time. @param sent rows of the body @param rows the same, as they are compared @throws ApiError `search_unavailable`, `service_unavailable` */
export async function matchRows(
  services: MatchServices,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
  { rows: sent, limit = CANDIDATES_USUAL, minScore = SCORE_USUAL }: MatchBody,
  rows: readonly NamedRow[],
): Promise<OperationAnswer<RowMatches[]>> {
  const data: RowMatches[] = [];
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const candidates = await findCandidates(services.matches, rows.slice(start, start + ROWS_AT_ONCE), scopeOf(principal), signal);
    const matching = candidates.map((some) => some.filter(({ score }) => score >= minScore));
    const isHeld = await makeHoldingTest(services, principal, matching.flat());
    for (const ofRow of matching) {
      const index = data.length;
      const named = principal.plan.recordCredit > 0 ? ofRow.filter(isHeld) : ofRow;
      data.push({
        index,
        ref: sent[index]?.ref ?? null,
        candidates: named.slice(0, limit).map((one) => ({ id: one.record.id, score: one.score, reasons: one.reasons, held: isHeld(one) })),
        candidateCount: ofRow.length,
      });
    }
  }
  const matchedRowCount = data.filter(({ candidateCount }) => candidateCount).length;
  return { data, meta: { creditsUsed: 0, rowCount: data.length, matchedRowCount } };
}

async function makeHoldingTest({ holdings }: MatchServices, { teamId }: Principal, scored: readonly Scored[]) {
  const members = [...new Set(scored.flatMap(({ record }) => record.memberIds))];
  const held = members.length ? await holdings.heldAmong(teamId, members) : new Set<number>();
  return ({ record }: Scored) => record.memberIds.some((id) => held.has(id));
}
