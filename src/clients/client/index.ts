export { LandUseClient } from './client.ts';
export {
  ConnectionFailure,
  type DetailsOf,
  isRefusal,
  JobFailure,
  type Problem,
  priceAboveMax,
  type Quote,
  Refusal,
  UnusableKey,
} from './errors.ts';
export type * from './generated.ts';
export { FILTER_NAMES } from './generated.ts';
export type { SettledJob, WaitOptions } from './jobs.ts';
export type { Answer, Input, OperationId } from './prepare.ts';
export type { CallOptions, ClientOptions, Retry } from './transport.ts';
export {
  type ClientRepresentation as Representation,
  type RecordOf,
  RecordWalk,
  type SearchPage,
  SearchTooWide,
  type SyncPage,
  SyncWalk,
  withDerived,
} from './walks.ts';
