/** Project lines for tests: a plain residential project in Boulder, Colorado, with whatever a test adds to it. */
import * as vocabulary from '../../src/core/domain/vocabulary.ts';
import type { Json } from './json.ts';
import { projectLine } from './projectLine.ts';
import type { TestAnswer, TestService } from './service.ts';

export const TODAY = '2026-11-20';

export type Fixture = Record<string, unknown> & { id: number };

export const project = (id: number, more: Record<string, unknown> = {}): Fixture => projectLine(id, { city: 'Boulder', ...more });

/** A land use by its deepest token; the levels above follow from the tree. */
export function use(token: string, role: 'primary' | 'secondary' | 'other' = 'primary') {
  const assetClass = vocabulary.assetClasses.terms.find((term) => term.token === token);
  const subtype = vocabulary.propertySubtypes.terms.find((term) => term.token === (assetClass?.subtype ?? token));
  return { type: subtype?.type ?? token, subtype: subtype?.token ?? null, assetClass: assetClass?.token ?? null, role };
}

/** A record of which `landUses` is all that is known of its uses. */
export const used = (id: number, ...landUses: ReturnType<typeof use>[]): Fixture => {
  const { propertyType: _, ...rest } = project(id, { landUses });
  return rest as Fixture;
};

export type Found = { id: number; lastUpdated: string; meetingDate: string | null } & Record<string, unknown>;

export interface Page {
  ids: number[];
  records: Found[];
  meta: Json;
  warnings: Record<string, { message: string; params: Record<string, unknown> }>;
}

/** Asks and expects a page; all dates and all records count unless a test says otherwise. */
export function searcher(api: () => TestService) {
  return async (parameters: Record<string, unknown>, options: { key?: string } = {}): Promise<Page> => {
    const { status, body }: TestAnswer = await api().get('/projects/search', { dateRange: 'all', ...parameters }, options);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    const records = body.data as unknown as Found[];
    const warnings = Object.fromEntries(body.meta.warnings.map((warning: { code: string }) => [warning.code, warning]));
    return { ids: records.map((record) => record.id), records, meta: body.meta, warnings };
  };
}

export interface Refused {
  status: number;
  code: string;
  param: string | null;
  message: string;
  problems: Json[];
  details: Json;
}

/** Asks and hands back the error, whichever status it has. */
export function refuser(api: () => TestService) {
  return async (parameters: Record<string, unknown>, path = '/projects/search'): Promise<Refused> => {
    const { status, body } = await api().get(path, parameters);
    const { code, param, message, details } = body.error ?? {};
    return { status, code, param, message, details, problems: details?.problems ?? [] };
  };
}

export const ascending = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);

/** A line of the directory of contacts: the engineer of a project, whom a search for the role always finds. */
export const engineer = (projectId: number) => ({
  kind: 'contact',
  projectId,
  name: `Person ${projectId}`,
  role: 'engineer',
  company: 'Spoon LLC',
  title: 'PE',
  email: `p${projectId}@spoon.example`,
  emailConfidence: 0.9,
  isGovernmentStaff: false,
});
