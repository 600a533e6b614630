/** Suggests a declared path for an unknown one. Pure. */
import { findNearestName, findNearestValues } from '../core/domain/nearestNames.ts';
import type { RoutesBelow } from './openapi.ts';
import { API_ROOT, KEYS_ROOT } from './roots.ts';

const splitSteps = (path: string) => path.split('/').filter(Boolean);
const isParameter = (step: string | undefined) => step?.startsWith('{') ?? false;

/** A declared path whose parameters have the values of the sent path. */
const fillParameters = (path: string, sent: readonly string[]) =>
  splitSteps(path)
    .map((step, i) => `/${isParameter(step) ? (sent[i] ?? step) : step}`)
    .join('');

function countSharedSteps(path: string, sent: readonly string[]): number {
  const declared = splitSteps(path);
  const differs = sent.findIndex((step, i) => step !== declared[i] && !isParameter(declared[i]));
  return Math.min(declared.length, differs < 0 ? sent.length : differs);
}

/** For a bare collection, such as `/projects`: its search, or the first path below it. */
const findPathBelow = (text: string, paths: readonly string[]) =>
  text ? (paths.find((path) => path === `${text}/search`) ?? paths.find((path) => path.startsWith(`${text}/`))) : undefined;

interface NearestPath {
  path: string;
  /** whether it is near enough to ask "did you mean" */
  isMeant: boolean;
}

/** The nearest of some paths: one that differs by a typing mistake, one below it, or one beside it. */
function findNearest(paths: readonly string[], sent: readonly string[]): NearestPath | undefined {
  const text = sent.map((step) => `/${step}`).join('');
  const filled = [...new Set(paths.map((path) => fillParameters(path, sent)))];
  const meant = findNearestName(text, filled) ?? findPathBelow(text, filled);
  if (meant) return { path: meant, isMeant: true };
  const shared = Math.max(...paths.map((path) => countSharedSteps(path, sent)));
  const beside = paths.filter((path) => countSharedSteps(path, sent) === shared).map((path) => fillParameters(path, sent));
  const [nearest] = shared
    ? beside
    : (findNearestValues(
        text,
        beside.map((value) => ({ value, names: [value] })),
      ).nearest ?? []);
  return nearest === undefined ? undefined : { path: nearest, isMeant: false };
}

/** The end of a refusal of an unknown path, which suggests a declared one; empty if none is near. */
export function makePathHint(path: string, routes: RoutesBelow): string {
  const root = [KEYS_ROOT, API_ROOT].find((one) => path === one || path.startsWith(`${one}/`));
  const below = root ?? API_ROOT;
  const paths = (routes[below] ?? []).map((route) => route.path);
  const nearest = findNearest(paths, splitSteps(root === undefined ? path : path.slice(root.length)));
  if (nearest?.isMeant) return `; did you mean ${below}${nearest.path}?`;
  return root === undefined || !nearest ? '' : `; the nearest path is ${below}${nearest.path}, and /openapi.json has all`;
}
