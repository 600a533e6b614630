// The servers of `npm run stack`, for other scripts and tests.
export { findOrStartServers, findStack, type Servers } from './find.ts';
export { runScript, stopSignal } from './signals.ts';
export { type Stack, type StackOptions, startStack } from './start.ts';
export type { ServerUrls } from './state.ts';
