import type { Places } from '../domain/places.ts';
import type { Principal } from '../domain/principal.ts';
import { serviceToday } from '../domain/serviceClock.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import type { HoldingStore } from '../store/postgres/holdings.ts';
import type { IdempotencyStore } from '../store/postgres/idempotency.ts';
import type { Claim, Ledger } from '../store/postgres/ledger.ts';
import type { Environment } from './request.ts';

export interface ProjectServices {
  store: ProjectStore;
  ledger: Ledger;
  holdings: HoldingStore;
  idempotency: IdempotencyStore;
  places: Places;
  publicUrl: string;
  now: () => Date;
}

/** Who asks, and what a charge is noted with. */
export interface Caller {
  principal: Principal;
  requestId: string;
  /** method and path pattern */
  route: string;
  idempotencyKey?: string | undefined;
  /** the hold on the idempotency key, while the request runs */
  claim?: Claim;
  /** aborts at the request's deadline, and with `CLIENT_GONE` when the client hangs up */
  signal?: AbortSignal;
}

export const CLIENT_GONE = new Error('The client hung up');

export interface Answer<T> {
  data: T;
  meta: Record<string, unknown>;
}

export const environmentOf = ({ places, now }: Pick<ProjectServices, 'places' | 'now'>): Environment => ({
  places,
  today: serviceToday(now()),
});
