/** From fetched hits to public records: which uses matched, which filters the served values do not confirm. */

import { setImmediate } from 'node:timers/promises';
import type { Principal } from '../domain/principal.ts';
import { type Delivery, type FetchedProject, type PublicRecord, represent, type TaxonomyLevel } from '../domain/record/represent.ts';
import type { LandUse, ProjectStatement, Representation } from '../domain/record/statement.ts';
import { COMPACT_KEYS, FULL_KEYS } from '../domain/record/storedProject.ts';
import { confirmations, evidenceFilters } from '../filter/compile.ts';
import type { Served } from '../filter/entry.ts';
import type { Warning } from '../filter/resolve.ts';
import { type FilterName, type FilterValues, filterOf } from '../filter/table.ts';
import type { ProjectHit } from '../store/elastic/projects.ts';
import type { Caller, ProjectServices } from './caller.ts';
import type { Selection } from './request.ts';

const compactKeys: ReadonlySet<string> = new Set(COMPACT_KEYS);
const fullKeys: ReadonlySet<string> = new Set(FULL_KEYS);

const sourcePath = (key: keyof ProjectStatement) =>
  compactKeys.has(key) ? `compact.${key}` : fullKeys.has(key) ? `full.${key}` : `standard.${key}`;

type Attribute = keyof ProjectStatement;

const attributesRead = (names: readonly FilterName[]): Attribute[] => [...new Set(names.flatMap((name) => filterOf(name).reads ?? []))];

/** `_source` paths that confirming the request's filters needs beyond the representation's own. */
export function evidencePaths(filters: FilterValues): string[] {
  return attributesRead(evidenceFilters(filters)).map(sourcePath);
}

function servedOf({ compact, standard = {}, full = {} }: FetchedProject, attributes: readonly Attribute[]): Served {
  const parts: Partial<Record<Attribute, unknown>>[] = [compact, standard, full];
  const served: Record<string, unknown> = {};
  for (const attribute of attributes) served[attribute] = parts.find((part) => part[attribute] !== undefined)?.[attribute];
  return served as Served;
}

/** Names of the filters for which at least one record of the page matched on evidence of earlier generations or of absorbed records. */
export function unconfirmedFilters(hits: readonly ProjectHit[], { filters, context }: Selection): FilterName[] {
  const names = evidenceFilters(filters);
  if (!names.length) return [];
  const attributes = attributesRead(names);
  const confirming = hits.map(({ project, matched }) => ({ served: servedOf(project, attributes), matched }));
  const failing = confirmations(names, filters, context).filter(([, confirms]) => !confirming.every(confirms));
  return failing.map(([name]) => name);
}

export function evidenceWarning(names: readonly FilterName[]): Warning[] {
  if (!names.length) return [];
  return [
    {
      code: 'filter_evidence_unconfirmed',
      message: `Some records matched ${names.join(', ')} by what earlier generations or absorbed records stated, since the current generation does not cover the value: they serve null there (status: unknown). Keep those with a value for a set of the current generation`,
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

export const viewOf = (
  { publicUrl }: Pick<ProjectServices, 'publicUrl'>,
  { principal }: Pick<Caller, 'principal'>,
  { representation }: Pick<ViewContext, 'representation'>,
): ViewContext => ({ publicUrl, principal, representation });

/** The records of a page, before it is known how they were delivered. */
export function publicRecords(
  hits: readonly ProjectHit[],
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
  return hits.map((hit) => represent(hit.project, options));
}

/** Those records that were delivered, each with how. */
export function deliveredRecords(records: readonly PublicRecord[], deliveries: readonly Delivery[]): PublicRecord[] {
  return deliveries.map((delivery, i) => Object.assign(records[i] as PublicRecord, { delivery }));
}

/** Does work of this process's own while an answer is on its way that was asked for just before. */
export async function meanwhile<T>(work: () => T): Promise<T> {
  await setImmediate(); // until then the question has not been sent
  return work();
}
