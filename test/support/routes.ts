import type Router from '@koa/router';
import type Koa from 'koa';

/** Every served path below the API root, as it was declared, with its methods. Open routes, which take GET and HEAD, are not among them. */
export function routesOf(app: Koa): Map<string, Set<string>> {
  const routes = new Map<string, Set<string>>();
  for (const middleware of app.middleware) {
    const { router } = middleware as { router?: Router };
    for (const { path, methods } of router?.stack ?? []) {
      const known = routes.get(String(path)) ?? new Set();
      for (const method of methods) known.add(method);
      routes.set(String(path), known);
    }
  }
  return routes;
}
