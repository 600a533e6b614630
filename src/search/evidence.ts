/** Which filters the served values do not confirm; the guide is src/docs/evidence.md. Pure. */
import type { FetchedProject } from '../domain/record/represent.ts';
import { sourcePath } from '../domain/record/schemas.ts';
import type { ProjectStatement } from '../domain/record/statement.ts';
import type { Warning } from '../domain/warnings.ts';
import { confirmations, evidenceFilters } from '../filter/compile.ts';
import type { Served } from '../filter/entry.ts';
import { type FilterName, type FilterValues, filterOf } from '../filter/table.ts';
import type { ProjectHit } from '../store/elastic/projects.ts';
import type { Selection } from './select.ts';

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
export function unconfirmedFilters(
  hits: readonly ProjectHit[],
  { filters, context }: Pick<Selection, 'filters' | 'context'>,
): FilterName[] {
  const names = evidenceFilters(filters);
  if (!names.length) return [];
  const attributes = attributesRead(names);
  const confirming = hits.map(({ project, matched }) => ({
    ...{ matched, evidenceOnly: project.evidenceOnly },
    served: project.evidenceOnly ? {} : servedOf(project, attributes),
  }));
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
