/** The actions of customers in a run of the money proof. */
import type { PlanId } from '../../../src/core/domain/plans.ts';
import type { Interruption } from './program.ts';

export const API_COUNT = 2;
export const WORKER_COUNT = 2;

export interface Sought {
  ids: number[];
  /** of the content that is served, which a load changes */
  version: number;
}

/** What a customer asks for; `bought` is a page that the customer gets right before asking for the price. */
export type Action =
  | ({ what: 'page'; key: string | null; truncate: boolean; maxCredits: number | null } & Sought)
  | { what: 'document'; id: number; key: string | null }
  | ({ what: 'export'; key: string | null; workMs: number; fails: 'never' | 'once' | 'for good'; isLost: boolean } & Sought)
  | { what: 'look-up'; ids: number[]; key: string | null; workMs: number }
  | { what: 'price'; bought?: number[] }
  | { what: 'follow' }
  | { what: 'plan'; to: PlanId };

export const makePage = (ids: number[], version = 0, key: string | null = null): Action & { what: 'page' } => ({
  what: 'page',
  ids,
  version,
  key,
  truncate: false,
  maxCredits: null,
});

export interface MoneyPlan {
  plan: PlanId;
  credits: number;
  at: string;
  actions: (Action & { api: number; afterMs: number })[];
  interruptions: Interruption[];
  pausing: boolean;
}
