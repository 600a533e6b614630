/** The look-ups of a job, a few at a time. The caller stores each batch, so that a crash repeats few look-ups. */

import type { FetchedProject } from '../../core/domain/record/represent.ts';
import type { Identified } from '../../core/domain/suppression.ts';
import { type ContactFinding, findingOf, type LookUp, type LookUpOptions, UNUSABLE } from '../../core/people/enrichment.ts';
import type { Suppressions } from '../../core/people/suppressions.ts';
import { terms } from '../../core/query/clauses.ts';
import { fetchHits, type ProjectStore } from '../../core/store/elastic/projects.ts';
import { type ContactFinder, MalformedFinderAnswer } from './finder.ts';

/** Look-ups at a time. */
const BATCH_SIZE = 4;

/** The finder's input for a project, without suppressed people. */
function lookUpOf({ id, compact, standard = {} }: FetchedProject, hides: (one: Identified) => boolean): LookUp {
  const named = (standard.contacts ?? []).filter((one) => !one.isGovernmentStaff && !hides(one));
  const { projectName = null, address = null, city = null, county = null, state = null } = compact;
  return {
    projectId: id,
    ids: compact.mergedFrom ?? [id],
    projectName,
    address,
    city,
    county,
    state,
    parties: (standard.parties ?? []).map(({ role, name }) => ({ role, name })),
    contacts: named.map(({ name = null, role = null, company = null, title = null }) => ({ name, role, company, title })),
    companies: (standard.companyEnrichment ?? []).flatMap(({ name }) => name ?? []),
  };
}

/** The records with these ids that still exist. @throws ApiError `search_unavailable` */
export async function recordsOf(store: ProjectStore, ids: readonly number[], signal: AbortSignal): Promise<FetchedProject[]> {
  if (!ids.length) return [];
  const hits = await fetchHits(store, { query: terms('id', ids), size: ids.length, representation: 'standard', signal });
  return hits.map(({ project }) => project);
}

/**
 * Yields the findings of projects, a few at a time.
 * @throws FinderUnavailable, ApiError `search_unavailable` and the signal's reason, after the completed findings have been yielded
 */
export async function* lookUps(
  { store, finder, suppressions }: { store: ProjectStore; finder: ContactFinder; suppressions: Suppressions },
  projectIds: readonly number[],
  options: LookUpOptions,
  signal: AbortSignal,
): AsyncGenerator<Map<number, ContactFinding>> {
  for (let from = 0; from < projectIds.length; from += BATCH_SIZE) {
    const ids = projectIds.slice(from, from + BATCH_SIZE);
    const [records, suppressed] = await Promise.all([recordsOf(store, ids, signal), suppressions.current()]);
    const hides = (one: Identified) => suppressed.covers(one);
    const one = async (id: number): Promise<ContactFinding> => {
      const record = records.find((project) => project.id === id);
      const filed = record?.standard?.contacts ?? [];
      const wanted = { filed, source: finder.source, options, hides, hashesOf: suppressions.hashesOf };
      // The record was removed since the job was accepted.
      if (!record) return findingOf({ people: [], companies: [] }, wanted);
      try {
        const lookUp = lookUpOf(record, hides);
        return { ...findingOf(await finder.find(lookUp, signal), wanted), memberIds: lookUp.ids };
      } catch (error) {
        if (error instanceof MalformedFinderAnswer) return UNUSABLE;
        throw error;
      }
    };
    const ended = await Promise.allSettled(ids.map(one));
    const found = ended.flatMap((end, i) => (end.status === 'fulfilled' ? [[ids[i] as number, end.value] as const] : []));
    if (found.length) yield new Map(found);
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
