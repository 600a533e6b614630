/** The filters of the address with what the page knows of them, for every part of the bar. */
import { useEffect, useState } from 'preact/hooks';
import { type FailedRequest, type KnownState, observeRefusals, send } from '../shared/api.ts';
import { namePlaces } from '../shared/placeNames.ts';
import { settings } from '../shared/settings.ts';
import type { FilterChange } from '../shared/state.ts';
import { type Asked, useAnswer } from '../shared/ui.tsx';
import type { PlaceNames } from './chips.ts';
import { type FilterCatalogue, type FilterTexts, rowOf, valuesOf } from './filterRows.ts';

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

let known: Promise<FilterCatalogue> | undefined;

/** Every filter; read once. */
export const useCatalogue = (): Asked<FilterCatalogue> =>
  useAnswer(async () => {
    known ??= send(settings.filters).then((response) => response.json());
    known.catch(() => {
      known = undefined;
    });
    return known;
  }, []);

/** A problem of one filter, reported by the service. */
export interface FilterProblem {
  /** the filter under its own name */
  name: string;
  message: string;
  /** values that were probably meant in place of `value` */
  value?: string;
  instead: readonly { value: string; label: string }[];
}

interface SentProblem {
  param: string | null;
  message: string;
  value?: unknown;
  didYouMean?: string;
  candidates?: readonly { id: number; name: string; state: string | null; county?: string }[];
}

const insteadOf = ({ didYouMean, candidates = [] }: SentProblem) => [
  ...(didYouMean ? [{ value: didYouMean, label: didYouMean }] : []),
  ...candidates.map(({ id, name, state, county }) => ({ value: String(id), label: [name, county, state].filter(Boolean).join(', ') })),
];

/** The problems of filters that a refusal names. */
export function problemsIn(catalogue: FilterCatalogue, { param, message, details }: FailedRequest): FilterProblem[] {
  const sent: readonly SentProblem[] = details?.problems ?? [{ param, message }];
  return sent.flatMap((problem) => {
    const name = problem.param?.replace(/^filters\./, '');
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

/** The names of the places that the address has by number, and of its states. */
export function usePlaceNames(filters: FilterTexts, states: readonly KnownState[]): PlaceNames {
  const numbered = { counties: valuesOf(filters.counties), cities: valuesOf(filters.cities) };
  const { answer } = useAnswer(() => namePlaces(numbered), [JSON.stringify(numbered)]);
  const ofStates = states.flatMap(({ id, abbreviation, name }) =>
    [String(id), abbreviation, abbreviation.toLowerCase()].map((value): [string, string] => [`states ${value}`, name]),
  );
  return new Map([...ofStates, ...(answer ?? [])]);
}
