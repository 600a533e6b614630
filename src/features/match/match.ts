/** `POST /projects/match`: finds the records that the rows of a client's list mean. */
import { type Scope, scopeOf } from '../../core/domain/principal.ts';
import type { HoldingStore } from '../../core/ledger/holdings.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { caseSeriesQuery, fuzzyQuery, identifierQuery } from './queries.ts';
import { type Scored, scoreCandidates } from './score.ts';
import type { MatchStore } from './store.ts';
import { CANDIDATES_USUAL, type MatchReason, type NamedRow, SCORE_USUAL, type SentRow } from './types.ts';

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

/** The candidates of each row, best first. @throws ApiError `search_unavailable` */
export async function findCandidates(
  store: MatchServices['matches'],
  rows: readonly NamedRow[],
  scope: Scope,
  signal?: AbortSignal,
): Promise<Scored[][]> {
  const keys = rows.map((row) => identifierQuery(row, scope));
  const found = await store.find(keys, signal);
  const scored = rows.map((row, i) => scoreCandidates(row, found[i] ?? []));
  const isUnsure = (i: number) => (scored[i]?.[0]?.score ?? 0) < SURE_SCORE;
  const further = rows.map((row, i) => (isUnsure(i) ? fuzzyQuery(row, scope) : undefined));
  const neighbours = rows.map((row, i) => (isUnsure(i) && scored[i]?.length ? caseSeriesQuery(row, scope) : undefined));
  const [more, numbered] = await Promise.all([
    answersAt(further, (queries) => store.find(queries, signal)),
    answersAt(neighbours, (queries) => store.findsAny(queries, signal)),
  ]);
  return rows.map((row, i) => {
    if (!more[i] && numbered[i] === undefined) return scored[i] ?? [];
    const all = new Map([...(found[i] ?? []), ...(more[i] ?? [])].map((record) => [record.id, record]));
    return scoreCandidates(numbered[i] === false ? { ...row, hasNoNeighbours: true } : row, [...all.values()]);
  });
}

/** Asks the defined questions together, and returns each answer at the place of its question. */
async function answersAt<Q, A>(questions: readonly (Q | undefined)[], ask: (some: Q[]) => Promise<A[]>): Promise<(A | undefined)[]> {
  const answers = await ask(questions.flatMap((question) => question ?? []) as Q[]);
  let next = 0;
  return questions.map((question) => (question === undefined ? undefined : answers[next++]));
}

/** Matches the rows. @param sent rows of the body @param rows the same, as they are compared @throws ApiError `search_unavailable`, `service_unavailable` */
export async function matchRows(
  { matches, holdings }: MatchServices,
  { principal, signal }: Pick<Actor, 'principal' | 'signal'>,
  { rows: sent, limit = CANDIDATES_USUAL, minScore = SCORE_USUAL }: MatchBody,
  rows: readonly NamedRow[],
): Promise<OperationAnswer<RowMatches[]>> {
  const candidates = await findCandidates(matches, rows, scopeOf(principal), signal);
  const scored = candidates.map((some) => some.filter(({ score }) => score >= minScore));
  const members = [...new Set(scored.flat().flatMap(({ record }) => record.memberIds))];
  const held = members.length ? await holdings.heldAmong(principal.teamId, members) : new Set<number>();
  const isHeld = ({ record }: Scored) => record.memberIds.some((id) => held.has(id));
  const data = scored.map((ofRow, index): RowMatches => {
    const named = principal.plan.recordCredit > 0 ? ofRow.filter(isHeld) : ofRow;
    return {
      index,
      ref: sent[index]?.ref ?? null,
      candidates: named.slice(0, limit).map((one) => ({ id: one.record.id, score: one.score, reasons: one.reasons, held: isHeld(one) })),
      candidateCount: ofRow.length,
    };
  });
  return { data, meta: { creditsUsed: 0, rowCount: data.length, matchedRowCount: scored.filter(({ length }) => length).length } };
}
