/** The filters of the address with what the page knows of them, for every part of the bar. */
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../../clients/client/generated.ts';
import { observeRefusals } from '../shared/api.ts';
import type { PlaceNames } from '../shared/chips.ts';
import { type FilterCatalogue, type FilterFieldRow, type FilterTexts, rowOf } from '../shared/filterRows.ts';
import type { KnownState } from '../shared/page.ts';
import type { FailedRequest } from '../shared/problems.ts';
import type { FilterChange } from '../shared/state.ts';

/** The data and actions for each part of the filter bar. */
export interface FilterUse {
  catalogue: FilterCatalogue;
  /** under their own names */
  filters: FilterTexts;
  places: PlaceNames;
  states: readonly KnownState[];
  problems: readonly FilterProblem[];
  onChange: (change: FilterChange) => void;
  /** the period of meetings that counts unless one is chosen */
  dateRange: string;
}

export interface FieldProps {
  field: FilterFieldRow;
  use: FilterUse;
}

/** The id of a filter's input. */
export const idOf = (name: string) => `field-${name}`;

/** A problem of one filter, reported by the service. */
export interface FilterProblem {
  /** the filter under its own name */
  name: string;
  message: string;
  /** values that were probably meant in place of `value` */
  value?: string;
  instead: readonly { value: string; label: string }[];
}

/** A place that an ambiguous name may mean. */
interface Candidate {
  id: number;
  name: string;
  state: string | null;
  county?: string;
}

type SentProblem = Pick<Problem, 'param' | 'message' | 'value' | 'didYouMean' | 'candidates'>;

const insteadOf = ({ didYouMean, candidates = [] }: SentProblem) => [
  ...(didYouMean ? [{ value: didYouMean, label: didYouMean }] : []),
  ...(candidates as Candidate[]).map(({ id, name, state, county }) => ({
    value: String(id),
    label: [name, county, state].filter(Boolean).join(', '),
  })),
];

/** The problems of filters that a refusal names. */
function problemsIn(catalogue: FilterCatalogue, { param, message, details }: FailedRequest): FilterProblem[] {
  return (details?.problems ?? [{ param, message }]).flatMap((problem: SentProblem) => {
    const name = problem.param?.replace(/^filters\./, '').replace(/\[.*/, '');
    if (!name) return [];
    const value = typeof problem.value === 'string' ? { value: problem.value } : {};
    return [{ name: rowOf(catalogue, name)?.name ?? name, message: problem.message, ...value, instead: insteadOf(problem) }];
  });
}

/** Requests that send the filters of the address. */
const OF_FILTERS = /^\/v\d+\/(projects\/|analytics\/|hearings)/;

/** The problems in the latest refusal, until the filters change. */
export function useProblems(catalogue: FilterCatalogue | null, filters: FilterTexts): readonly FilterProblem[] {
  const [refusal, setRefusal] = useState<FailedRequest | null>(null);
  useEffect(() => {
    setRefusal(null);
    return observeRefusals((path, problem) => {
      if (OF_FILTERS.test(path)) setRefusal(problem);
    });
  }, [JSON.stringify(filters)]);
  if (!catalogue || !refusal) return [];
  return problemsIn(catalogue, refusal).filter(({ name }) => rowOf(catalogue, name) || name in filters);
}
