import type { Places } from '../domain/places.ts';
import { serviceToday } from '../domain/serviceClock.ts';
import type { HoldingStore } from '../ledger/holdings.ts';
import type { IdempotencyStore } from '../ledger/idempotencyStore.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CountObserver } from '../store/callWatch.ts';
import type { ProjectStore } from '../store/elastic/projects.ts';
import type { PeopleServices } from './shownPeople.ts';

export interface ProjectServices extends PeopleServices {
  store: ProjectStore;
  ledger: Ledger;
  holdings: HoldingStore;
  idempotency: IdempotencyStore;
  places: Places;
  publicUrl: string;
  now: () => Date;
  /** called with what may count a single record again and again */
  counted?: CountObserver | undefined;
}

/** What parsing depends on in addition to the parameters and the licence. */
export interface Environment {
  places: Places;
  /** today by the service clock, `YYYY-MM-DD` */
  today: string;
}

export const environmentOf = ({ places, now }: Pick<ProjectServices, 'places' | 'now'>): Environment => ({
  places,
  today: serviceToday(now()),
});

/** The result of an operation: `data`, and `meta` without version and request id. */
export interface OperationAnswer<T> {
  data: T;
  meta: Record<string, unknown>;
}
