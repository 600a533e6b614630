/** The profile of a long proof: `npm run soak` and `npm run prove-sync` are two profiles of one runner. */
import type { SnapshotHabit } from './copies.ts';
import type { FaultPlan } from './faults.ts';
import type { CopySabotage } from './keptCopy.ts';
import type { LoadPlan } from './schedule.ts';

/** Sabotages that the proof has to detect. */
export const SPOILERS = ['dropped-record', 'doubled-charge', 'leak'] as const;
export type Spoiler = (typeof SPOILERS)[number];

export interface ProofProfile {
  /** prefix of the names of its schema and indices */
  purpose: string;
  seed: number;
  /** records of the first load */
  records: number;
  loads: LoadPlan;
  /** customers that keep a copy each */
  copies: number;
  /** longest pause of a copy that has nothing new to read */
  copyIdleMs: number;
  /** copies that are thrown away and begun from a snapshot, as at first; none by default */
  snapshotHabit?: SnapshotHabit | undefined;
  /** whether customers visit, order jobs and take webhooks, and a model of the loads checks each answer that they get */
  hasVisits: boolean;
  /** each plan runs at the same time as the others */
  faults: readonly FaultPlan[];
  /** time in which every fault has to heal; not checked if undefined */
  healSeconds?: number;
  /** whether Elasticsearch is a cluster of three nodes that is started for the proof, not the server given */
  hasCluster?: boolean;
  /** between two samples of the memory of an API and of a worker; none are taken where it is undefined */
  sampleSeconds?: number;
  /** between two lines of progress */
  progressSeconds: number;
  spoilers?: readonly Spoiler[] | undefined;
  /** sabotage of the first copy, the second …; undefined for none */
  copySabotage?: readonly (CopySabotage | undefined)[] | undefined;
}
