/** From fetched hits to public records: which uses matched, which filters the served values do not confirm. */

import type { Principal } from '../domain/principal.ts';
import type { LandUse, ProjectStatement, Representation } from '../domain/project.ts';
import { type PublicRecord, represent, servedMeetingDate, type TaxonomyLevel } from '../domain/representation.ts';
import { COMPACT_KEYS, FULL_KEYS } from '../domain/storedProject.ts';
import { evidenceFilters, unconfirmed } from '../filter/compile.ts';
import type { Served } from '../filter/entry.ts';
import type { Warning } from '../filter/resolve.ts';
import { type FilterName, type FilterValues, filterOf } from '../filter/table.ts';
import type { ProjectHit } from '../store/projects.ts';
import type { PageDelivery } from './delivery.ts';
import type { Selection } from './request.ts';

const compactKeys: ReadonlySet<string> = new Set(COMPACT_KEYS);
const fullKeys: ReadonlySet<string> = new Set(FULL_KEYS);

const sourcePath = (key: keyof ProjectStatement) =>
  compactKeys.has(key) ? `compact.${key}` : fullKeys.has(key) ? `full.${key}` : `standard.${key}`;

/** `_source` paths that confirming the request's filters needs beyond the representation's own. */
export function evidencePaths(filters: FilterValues): string[] {
  const reads = evidenceFilters(filters).flatMap((name) => filterOf(name).reads ?? []);
  return [...new Set(reads)].map(sourcePath);
}

function servedOf({ project }: ProjectHit, cap: string): Served {
  const { compact, standard, full, hearings } = project;
  return { ...standard, ...full, ...compact, meetingDate: servedMeetingDate(project, cap), ...(hearings ? { hearings } : {}) };
}

/** Names of the filters for which at least one record of the page matched on evidence that its served value does not confirm. */
export function unconfirmedFilters(hits: readonly ProjectHit[], { filters, context, meetingCap }: Selection): FilterName[] {
  const names = evidenceFilters(filters);
  if (!names.length) return [];
  const found = new Set(hits.flatMap((hit) => unconfirmed(names, filters, servedOf(hit, meetingCap), hit.matched, context)));
  return names.filter((name) => found.has(name));
}

export function evidenceWarning(names: readonly FilterName[]): Warning[] {
  if (!names.length) return [];
  return [
    {
      code: 'filter_evidence_unconfirmed',
      message: `Some records matched ${names.join(', ')} by evidence that their served values do not confirm; keep those whose value is not null for a set of the current generation`,
      params: { filters: names },
    },
  ];
}

/** Which levels of a use satisfied the request's taxonomy filter (specification `matchedOn`). */
export function matcher({ filters, roles }: Pick<Selection, 'filters' | 'roles'>): (use: LandUse) => TaxonomyLevel[] {
  const wanted: [TaxonomyLevel, ReadonlySet<string>][] = [
    ['type', new Set(filters.propertyTypes)],
    ['subtype', new Set([...(filters.propertySubtypes ?? []), ...(filters.governmentDecisionSubtypes ?? [])])],
    ['assetClass', new Set([...(filters.assetClasses ?? []), ...(filters.governmentDecisionAssetClasses ?? [])])],
  ];
  if (wanted.every(([, values]) => !values.size)) return () => [];
  return (use) => (roles.includes(use.role) ? wanted.flatMap(([level, values]) => (values.has(use[level] ?? '') ? [level] : [])) : []);
}

export interface ViewContext {
  publicUrl: string;
  principal: Principal;
  representation: Representation;
}

export function publicRecords(
  hits: readonly ProjectHit[],
  { deliveries }: PageDelivery,
  selection: Pick<Selection, 'filters' | 'roles' | 'meetingCap'>,
  { publicUrl, principal, representation }: ViewContext,
): PublicRecord[] {
  const options = {
    representation,
    publicUrl,
    meetingCap: selection.meetingCap,
    matchedOn: matcher(selection),
    companyDetails: principal.plan.paid,
  };
  return hits.map((hit, i) => represent(hit.project, deliveries[i] as PageDelivery['deliveries'][number], options));
}
