/** `GET /lists/{id}/results`: the records of a list of projects, billed like a search; for a list of criteria, its criteria. */

import { refusalOf } from '../../core/domain/errors.ts';
import { RecordText, type ServedRecord } from '../../core/domain/record/rendered.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import type { Actor } from '../../core/search/actor.ts';
import { searchProjects } from '../../core/search/searchProjects.ts';
import { toSearchRequest } from '../../core/search/searchRequest.ts';
import { selectionOf } from '../../core/search/select.ts';
import { environmentOf, type OperationAnswer } from '../../core/search/services.ts';
import { readEvidenceWarning } from '../../core/search/unconfirmedFilters.ts';
import { findList, type ListServices, readCurrentNotes, selectMembers } from './manage.ts';
import { type ResultsRequest, readCriteria } from './request.ts';
import type { StoredList } from './types.ts';
import { searchUrlOfList } from './view.ts';

/** The results of a filter or polygon list: its criteria, free, with the URL of their search. */
export interface ListCriteria {
  kind: 'filter' | 'polygon';
  filters: Readonly<Record<string, unknown>> | null;
  polygon: readonly (readonly number[])[] | null;
  searchUrl: string;
}

/** Warnings about matches of the criteria that are found by evidence only. @throws ApiError `search_unavailable` */
async function readCriteriaWarnings(services: ListServices, actor: Actor, list: StoredList): Promise<Warning[]> {
  const { places, today } = environmentOf(services);
  const { filters, problems } = readCriteria(list, places);
  if (problems.length) return [];
  const selection = selectionOf(filters, actor.principal, today);
  return readEvidenceWarning(services.store, selection, actor);
}

/** The results of a list. @throws ApiError */
export async function listResults(
  services: ListServices,
  actor: Actor,
  id: string,
  { problems, controls, same }: ResultsRequest,
): Promise<OperationAnswer<ServedRecord[] | ListCriteria>> {
  const list = await findList(services, actor, id);
  if (problems.length) throw refusalOf(problems);
  const searchUrl = searchUrlOfList(list, services);
  if (searchUrl !== null) {
    const { kind, filters, polygon } = list;
    return {
      data: { kind: kind as ListCriteria['kind'], filters, polygon, searchUrl },
      meta: { creditsUsed: 0, warnings: await readCriteriaWarnings(services, actor, list) },
    };
  }
  const { notes: stored, ...members } = await selectMembers(services, actor, id);
  // The echo names the list instead of repeating thousands of ids.
  const selection = { ...members, appliedFilters: { listId: id } };
  const request = { ...toSearchRequest(selection, controls, same), priceUrl: `${services.publicUrl}/v1/lists/${id}` };
  const [{ data, meta }, notes] = await Promise.all([searchProjects(services, actor, request), readCurrentNotes(services, actor, stored)]);
  // A list never has more projects than a search can reach, so the count of its matches is exact.
  const noted = notes.size ? data.map((record) => addNote(record, notes)) : data;
  return { data: noted, meta: { ...meta, total: meta.matchCount } };
}

/** Records of a list with notes carry theirs, or null; those of other lists are records as everywhere. */
function addNote(record: ServedRecord, notes: ReadonlyMap<number, string>): ServedRecord {
  if (!(record instanceof RecordText)) return Object.assign(record, { note: notes.get(Number(record.id)) ?? null });
  return record.addField('note', notes.get(record.readNumber('id') ?? 0) ?? null);
}
