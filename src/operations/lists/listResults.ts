/** `GET /lists/{id}/results`: records of a list that names projects, billed as a search bills them; of criteria the criteria themselves. */
import type { StoredList } from '../../domain/lists.ts';
import type { ServedRecord } from '../../domain/record/rendered.ts';
import type { Warning } from '../../domain/warnings.ts';
import type { RawParameters } from '../../filter/parse.ts';
import type { Actor } from '../../search/actor.ts';
import { warningOfSet } from '../../search/evidence.ts';
import { selectionOf } from '../../search/select.ts';
import { type Answer, environmentOf } from '../../search/services.ts';
import { searchedPage } from '../projects/searchProjects.ts';
import { pageRequest } from '../projects/searchRequest.ts';
import { parseResults, readCriteria } from './listRequest.ts';
import { knownList, type ListServices, membersSelection } from './lists.ts';
import { searchUrlOfList } from './listView.ts';

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
  raw: RawParameters,
): Promise<Answer<ServedRecord[] | ListCriteria>> {
  const list = await knownList(services, actor, id);
  const controls = parseResults(raw, actor.principal, services.places);
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
  const request = { ...pageRequest(selection, controls), priceUrl: `${services.publicUrl}/v1/lists/${id}` };
  const { data, meta } = await searchedPage(services, actor, request, JSON.stringify([id, ...[...raw].sort()]));
  // A list has no more projects than a search looks through: its matches are counted whole.
  return { data, meta: { ...meta, total: meta.matchCount } };
}
