/** What the service says of itself: the reference, guides, errors, probes, the greeting. */
export { docsRoutes } from './docsRoutes.ts';
export { greetingRoutes } from './greetingRoutes.ts';
export { probeRoutes } from './probeRoutes.ts';
