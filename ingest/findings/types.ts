/** Types of the report of a load. */
import type { Places } from '../../src/core/domain/places.ts';
import type { Acceptance } from './acceptance.ts';
import type { LoadFinding, Threshold } from './finding.ts';
import type { LossThresholds } from './losses.ts';
import type { FiguredPlace } from './placeFigures.ts';

interface ComparedFigure {
  now: number;
  served: number;
}

export interface ReportedPlace extends FiguredPlace {
  records: ComparedFigure;
  fields: Record<string, ComparedFigure>;
}

export interface LoadReport {
  generation: number;
  /** generation that the load was compared with; null if nothing was served */
  base: number | null;
  records: { stated: number; new: number; changed: number; unchanged: number; removed: number; carriedOver: number };
  places: ReportedPlace[];
  findings: LoadFinding[];
}

/** From when on there is a finding. */
export interface LoadThresholds extends LossThresholds {
  /** in place of those of the table of rules, by code */
  findingThresholds?: Readonly<Record<string, Threshold>>;
}

/** When a loss is a finding, and which findings are accepted. */
export interface FindingRules {
  places: Places;
  thresholds: LoadThresholds;
  accept?: readonly Acceptance[];
}
