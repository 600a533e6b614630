/** `GET /lists/{id}/results`: records of a list that names projects, billed as a search bills them; of criteria the criteria themselves. */

import { refusalOf } from '../../core/domain/errors.ts';
import type { ServedRecord } from '../../core/domain/record/rendered.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { Actor } from '../../core/search/actor.ts';
import { warningOfSet } from '../../core/search/evidence.ts';
import { searchProjects } from '../../core/search/searchProjects.ts';
import { pageRequest } from '../../core/search/searchRequest.ts';
import { selectionOf } from '../../core/search/select.ts';
import { type Answer, environmentOf } from '../../core/search/services.ts';
import { knownList, type ListServices, membersSelection } from './manage.ts';
import { type ResultsRequest, readCriteria } from './request.ts';
import type { StoredList } from './types.ts';
import { searchUrlOfList } from './view.ts';

/** What a filter or polygon list stands for: nothing is charged, and the link searches it. */
export interface ListCriteria {
  kind: 'filter' | 'polygon';
  filters: Readonly<Record<string, unknown>> | null;
  polygon: readonly (readonly number[])[] | null;
  searchUrl: string;
}

/** What of the matches of the list's criteria is blank in an answer. @throws ApiError `search_unavailable` */
async function criteriaWarnings(services: ListServices, actor: Actor, list: StoredList): Promise<Warning[]> {
  const { places, today } = environmentOf(services);
  const { filters, problems } = readCriteria(list, places);
  if (problems.length) return [];
  const selection = selectionOf(filters, actor.principal, today);
  return warningOfSet(services.store, selection, actor);
}

/** @throws ApiError */
export async function listResults(
  services: ListServices,
  actor: Actor,
  id: string,
  { problems, controls, same }: ResultsRequest,
): Promise<Answer<ServedRecord[] | ListCriteria>> {
  const list = await knownList(services, actor, id);
  if (problems.length) throw refusalOf(problems);
  const searchUrl = searchUrlOfList(list, services.publicUrl);
  if (searchUrl !== null) {
    const { kind, filters, polygon } = list;
    return {
      data: { kind: kind as ListCriteria['kind'], filters, polygon, searchUrl },
      meta: { creditsUsed: 0, warnings: await criteriaWarnings(services, actor, list) },
    };
  }
  const members = await membersSelection(services, actor, id);
  // Echoing thousands of ids helps nobody.
  const selection = { ...members, appliedFilters: { listId: id } };
  const request = { ...pageRequest(selection, controls, same), priceUrl: `${services.publicUrl}/v1/lists/${id}` };
  const { data, meta } = await searchProjects(services, actor, request);
  // A list has no more projects than a search looks through: its matches are counted whole.
  return { data, meta: { ...meta, total: meta.matchCount } };
}
