import { ApiError } from '../domain/errors.ts';
import { REPRESENTATIONS, type Representation } from '../domain/project.ts';
import { choice, Unusable } from '../filter/kinds.ts';
import type { RawParameters } from '../filter/parse.ts';
import type { Route } from '../http/route.ts';
import { countProjects, type ProjectServices, readProject, searchProjects } from '../search/projects.ts';

/** A positive whole number from a path; anything else names nothing, so that it is not found. */
export function idFromPath(text: string | undefined, what: string): number {
  const id = text && /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id >= 1 && Number.isSafeInteger(id)) return id;
  throw new ApiError('resource_not_found', `There is no ${what} '${text?.slice(0, 80)}'; an id is a whole number`, { param: 'id' });
}

function representationFrom(query: RawParameters): Representation {
  const raw = query.get('representation');
  if (raw === undefined) return 'standard';
  try {
    return choice(...REPRESENTATIONS).parse(raw, undefined as never);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    throw new ApiError('invalid_request', `representation ${error.message}`, {
      param: 'representation',
      details: { supported: [...REPRESENTATIONS] },
    });
  }
}

export function projectRoutes(services: ProjectServices): Route[] {
  return [
    {
      method: 'get',
      path: '/projects/search',
      summary: 'Search projects; one page',
      query: 'any',
      handle: ({ principal, query, signal }) => searchProjects(services, principal, query, signal),
    },
    {
      method: 'get',
      path: '/projects/count',
      summary: 'Size of a whole match set, free of charge',
      query: 'any',
      handle: ({ principal, query, signal }) => countProjects(services, principal, query, signal),
    },
    {
      method: 'get',
      path: '/projects/:id',
      summary: 'One project, by its id or the id of a record merged into it',
      query: ['representation'],
      handle: ({ principal, path, query, signal }) =>
        readProject(services, principal, idFromPath(path.id, 'project'), representationFrom(query), signal),
    },
  ];
}
