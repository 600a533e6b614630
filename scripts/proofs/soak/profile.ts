/** What differs between long proofs: `npm run soak` and `npm run prove-sync` are two profiles of one runner. */
import type { SnapshotHabit } from './copies.ts';
import type { FaultPlan } from './faults.ts';
import type { CopySabotage } from './keptCopy.ts';
import type { LoadPlan } from './schedule.ts';

/** Ways to make something wrong on purpose: the proof has to fail. */
export const SPOILERS = ['dropped-record', 'doubled-charge', 'leak'] as const;
export type Spoiler = (typeof SPOILERS)[number];

export interface ProofProfile {
  /** beginning of the names of its schema and indices */
  purpose: string;
  seed: number;
  /** records that are loaded first */
  records: number;
  loads: LoadPlan;
  /** customers that keep a copy each */
  copies: number;
  /** longest pause of a copy that has nothing new to read */
  copyIdleMs: number;
  /** which copies are thrown away and begun by a snapshot, as they are at first; none unless given */
  snapshotHabit?: SnapshotHabit | undefined;
  /** whether customers visit, order jobs and take webhooks, and a model of the loads checks each answer that they get */
  hasVisits: boolean;
  /** each plan runs at the same time as the others */
  faults: readonly FaultPlan[];
  /** in which every fault has to heal; not asked where it is undefined */
  healSeconds?: number;
  /** Elasticsearch nodes: 1 is the node of the servers given, 3 are started for the proof */
  nodes: 1 | 3;
  /** between two samples of the memory of an API and of a worker; none are taken where it is undefined */
  sampleSeconds?: number;
  /** between two lines of progress */
  progressSeconds: number;
  spoilers?: readonly Spoiler[] | undefined;
  /** of the first copy, the second …; undefined for one that is kept well */
  copySabotage?: readonly (CopySabotage | undefined)[] | undefined;
}
