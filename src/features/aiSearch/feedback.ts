/** A team says which records answer its question and which do not. It is free, and the next search for the same question follows it. */
import { type RequestRefusal, refusalOf } from '../../core/domain/errors.ts';
import { isWithin, scopeOf } from '../../core/domain/principal.ts';
import { scopeClauses, terms } from '../../core/query/clauses.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { OperationAnswer } from '../../core/search/services.ts';
import { fetchHits } from '../../core/store/elastic/projects.ts';
import type { AiSearchServices } from './manage.ts';
import type { StoredAiSearch } from './types.ts';

/** Records that one call may confirm, and as many that it may dismiss. */
export const JUDGED_MAX = 100;

interface FeedbackView {
  id: string;
  /** records that the team has so far confirmed as answers to the question, and those that it dismissed */
  confirmed: number;
  dismissed: number;
}

/** A body that judges nothing. */
export function feedbackProblems({ confirm = [], dismiss = [] }: Readonly<Record<string, unknown>>): RequestRefusal[] {
  if ([confirm, dismiss].some((ids) => !Array.isArray(ids) || ids.length)) return [];
  const message = 'The body judges no record: confirm or dismiss takes ids of records that the search found';
  return [{ param: 'confirm', code: 'missing', message, answer: 'invalid_request' }];
}

/** `POST /projects/ai-search/jobs/{id}/feedback`. @throws ApiError `resource_not_found`, `invalid_filter`, `search_unavailable`, `service_unavailable` */
export async function judgeAnswers(
  services: AiSearchServices,
  actor: Actor,
  id: string,
  { confirm = [], dismiss = [] }: { confirm?: readonly number[]; dismiss?: readonly number[] },
): Promise<OperationAnswer<FeedbackView>> {
  const { teamId } = actor.principal;
  const search = await services.searches.read(actor.principal, id);
  const known = await judgeable(services, actor, search, [...new Set([...confirm, ...dismiss])]);
  const problems = [
    ...unknownProblems('confirm', confirm, known),
    ...unknownProblems('dismiss', dismiss, known),
    ...bothProblems(confirm, dismiss),
  ];
  if (problems.length) throw refusalOf(problems);
  const { query } = search.payload;
  await services.feedback.keep(teamId, query, { confirmed: confirm, dismissed: dismiss });
  const { confirmed, dismissed } = await services.feedback.read(teamId, query);
  return { data: { id, confirmed: confirmed.length, dismissed: dismissed.length }, meta: { creditsUsed: 0 } };
}

const refused = (param: string, value: number, message: string): RequestRefusal => ({
  param,
  code: 'invalid_value',
  message,
  value,
  answer: 'invalid_filter',
});

const unknownProblems = (field: string, ids: readonly number[], known: ReadonlySet<number>): RequestRefusal[] =>
  ids.flatMap((id, i) =>
    known.has(id)
      ? []
      : [refused(`${field}.${i}`, id, `${field}[${i}]: ${id} is no record that this search delivered or that your team may judge`)],
  );

const bothProblems = (confirm: readonly number[], dismiss: readonly number[]): RequestRefusal[] =>
  dismiss.flatMap((id, i) =>
    confirm.includes(id) ? [refused(`dismiss.${i}`, id, `dismiss[${i}]: ${id} stands in confirm, too; send it in one of them`)] : [],
  );

/**
 * Those of the ids that the team may judge: what the search delivered and still shows, and what else it found if that reveals nothing that
 * is paid for, since every record is free or the pool holds this one.
 */
async function judgeable(services: AiSearchServices, actor: Actor, search: StoredAiSearch, ids: readonly number[]): Promise<Set<number>> {
  const { principal } = actor;
  const scope = scopeOf(principal);
  const delivered = search.settledAt ? await services.searches.delivered(search.id) : [];
  const shown = new Set(delivered.flatMap(({ project }) => (isWithin(scope, project.standard ?? {}) ? [project.id] : [])));
  const others = await services.feedback.candidatesAmong(
    search.id,
    ids.filter((id) => !shown.has(id)),
  );
  const held = principal.plan.recordCredit ? await services.holdings.heldAmong(principal.teamId, others) : new Set(others);
  const open = others.filter((id) => held.has(id));
  return new Set([...shown, ...(open.length ? await servedAmong(services, actor, open) : [])]);
}

/** Those of the ids that the licence covers today. */
async function servedAmong({ store }: AiSearchServices, { principal, signal }: Actor, ids: readonly number[]): Promise<number[]> {
  const query = { bool: { filter: [...scopeClauses(scopeOf(principal)), terms('id', ids)] } };
  const hits = await fetchHits(store, { query, size: ids.length, representation: 'compact', signal });
  return hits.map(({ project }) => project.id);
}
