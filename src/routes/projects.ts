import { ApiError } from '../domain/errors.ts';
import type { Route, RouteRequest } from '../http/route.ts';
import { countProjects } from '../operations/projects/countProjects.ts';
import { projectChanges } from '../operations/projects/projectChanges.ts';
import { readProject } from '../operations/projects/readProject.ts';
import { searchProjects } from '../operations/projects/searchProjects.ts';
import { type SyncServices, syncProjects } from '../operations/sync/syncProjects.ts';
import type { Caller } from '../search/caller.ts';
import { parseRead } from '../search/request.ts';

/** A positive whole number from a path; anything else names nothing, so that it is not found. */
export function idFromPath(text: string | undefined, what: string): number {
  const id = text && /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id >= 1 && Number.isSafeInteger(id)) return id;
  throw new ApiError('resource_not_found', `There is no ${what} '${text?.slice(0, 80)}'; an id is a whole number`, { param: 'id' });
}

/** Who asks, as charges are noted. @param route method and path pattern */
export function callerOf({ principal, requestId, idempotencyKey, signal }: RouteRequest, route: string): Caller {
  return { principal, requestId, route, idempotencyKey, signal };
}

export function projectRoutes(services: SyncServices): Route[] {
  return [
    {
      method: 'get',
      path: '/projects/search',
      summary: 'Search projects; one page',
      query: 'any',
      handle: (request) => searchProjects(services, callerOf(request, 'GET /projects/search'), request.query),
    },
    {
      method: 'get',
      path: '/projects/count',
      summary: 'Size of a whole match set, free of charge',
      query: 'any',
      handle: (request) => countProjects(services, callerOf(request, 'GET /projects/count'), request.query),
    },
    {
      method: 'get',
      path: '/projects/sync',
      summary: 'Lossless walk in the order of change',
      query: 'any',
      handle: (request) => syncProjects(services, callerOf(request, 'GET /projects/sync'), request.query),
    },
    {
      method: 'get',
      path: '/projects/:id',
      summary: 'One project, by its id or the id of a record merged into it',
      query: ['representation', 'include', 'contactOptions'],
      handle: (request) =>
        readProject(
          services,
          callerOf(request, 'GET /projects/{id}'),
          idFromPath(request.path.id, 'project'),
          parseRead(request.query, request.principal, services),
        ),
    },
    {
      method: 'get',
      path: '/projects/:id/changes',
      summary: 'What changed since your pool was last delivered the record, free of charge',
      query: [],
      handle: (request) =>
        projectChanges(services, callerOf(request, 'GET /projects/{id}/changes'), idFromPath(request.path.id, 'project')),
    },
  ];
}
