/** Both searches of the evaluation, in memory: BM25 over the words of a question alone, and understanding with confirming over the same index. */

import type { Places } from '../../../src/core/domain/places.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';
import { GOVERNMENT_DECISIONS } from '../../../src/core/domain/vocabulary.ts';
import { words } from '../../../src/core/domain/words.ts';
import { parseFilters } from '../../../src/core/filter/parse.ts';
import { boundOf } from '../../../src/core/filter/size.ts';
import { FILTER_NAMES, type FilterValues } from '../../../src/core/filter/table.ts';
import { daysOf } from '../../../src/core/filter/time.ts';
import { type Criterion, type CriterionQuote, confirm, searchTerms, understand } from '../../../src/features/aiSearch/question/index.ts';
import { stemsOf } from '../../../src/features/aiSearch/question/tokens.ts';
import { SAYS_NOTHING } from '../../../src/features/aiSearch/questionPlan.ts';
import type { QuestionAnswerer } from './answering.ts';
import { type EvaluatedRecord, TODAY } from './corpus.ts';

const K1 = 1.2;
const B = 0.75;
/** Records whose texts are looked at for one question, the best by BM25 first: the ceiling of a job. */
const REVIEWED_MAX = 1000;

interface Answer {
  id: number;
  score: number;
  evidence: CriterionQuote[];
}

class Search {
  readonly #records: readonly EvaluatedRecord[];
  readonly #places: Places;
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #lengths: number[];
  readonly #meanLength: number;

  constructor(records: readonly EvaluatedRecord[], places: Places) {
    this.#records = records;
    this.#places = places;
    this.#lengths = records.map(({ candidate }, i) => this.#index(i, candidate.texts.map(({ text }) => text).join('\n')));
    this.#meanLength = this.#lengths.reduce((a, b) => a + b, 0) / Math.max(1, records.length);
  }

  #index(at: number, text: string): number {
    const stems = stemsOf(text);
    for (const stem of stems) {
      const posting = this.#postings.get(stem) ?? new Map<number, number>();
      posting.set(at, (posting.get(at) ?? 0) + 1);
      this.#postings.set(stem, posting);
    }
    return stems.length;
  }

  /** BM25 of every record that has a word of the text. */
  #bm25(text: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const stem of new Set(stemsOf(text))) {
      const posting = this.#postings.get(stem);
      if (!posting) continue;
      const idf = Math.log(1 + (this.#records.length - posting.size + 0.5) / (posting.size + 0.5));
      for (const [at, count] of posting) {
        const norm = K1 * (1 - B + (B * (this.#lengths[at] as number)) / this.#meanLength);
        scores.set(at, (scores.get(at) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
      }
    }
    return scores;
  }

  /** The records that rank first by the words of the question. */
  plain(query: string, limit: number): Answer[] {
    const ranked = [...this.#bm25(query)].sort(([i, a], [j, b]) => b - a || i - j).slice(0, limit);
    return ranked.map(([at, score]) => ({ id: this.#id(at), score, evidence: [] }));
  }

  #id(at: number): number {
    return (this.#records[at] as EvaluatedRecord).statement.id;
  }

  /** Confirmed records, the best first. */
  confirmed(query: string, limit: number): Answer[] {
    const { filters, criteria, readings } = understand(query, { today: TODAY, places: this.#places });
    const { filters: values } = parseFilters(filters, '', this.#places);
    const firm = readings.filter(({ orInText }) => orInText === 'never').flatMap((reading) => reading.filters);
    const scores = this.#bm25(
      searchTerms([...criteria, ...readings.filter(({ orInText }) => orInText !== 'never').map(({ criterion }) => criterion)])
        .flatMap(({ phrases }) => phrases)
        .join(' '),
    );
    const withDecisions = filters.includeGovernmentDecisions !== undefined;
    const within = this.#records.flatMap(({ statement }, at) =>
      (withDecisions || !isDecision(statement)) && satisfies(statement, only(values, firm)) ? [at] : [],
    );
    const soft = readings.filter(({ orInText }) => orInText !== 'never');
    const reviewed = within
      .map((at) => ({
        at,
        holds: soft.filter(({ filters: names }) => satisfies((this.#records[at] as EvaluatedRecord).statement, only(values, names))).length,
        score: scores.get(at) ?? 0,
      }))
      .filter(({ holds, score }) => holds > 0 || score > 0 || !scores.size)
      .sort((a, b) => b.holds - a.holds || b.score - a.score || a.at - b.at)
      .slice(0, REVIEWED_MAX);
    return reviewed
      .flatMap(({ at, score }) => this.#judge(at, score, values, criteria, soft))
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, limit);
  }

  #judge(
    at: number,
    bm25: number,
    values: FilterValues,
    criteria: readonly Criterion[],
    soft: ReturnType<typeof understand>['readings'],
  ): Answer[] {
    const { statement, candidate } = this.#records[at] as EvaluatedRecord;
    const open: Criterion[] = [];
    for (const { filters, orInText, criterion } of soft) {
      const asked = only(values, filters);
      if (satisfies(statement, asked)) continue;
      if (orInText === 'unstated' && states(statement, filters)) return [];
      open.push(criterion);
    }
    const verdict = confirm([...criteria, ...open], candidate);
    if (!verdict.confirmed) return [];
    return [{ id: statement.id, score: verdict.score - 0.2 * open.length + bm25 / 1000, evidence: verdict.evidence }];
  }
}

/** A search in memory as the evaluation asks it. */
export function searchIn(corpus: readonly EvaluatedRecord[], places: Places): QuestionAnswerer {
  const search = new Search(corpus, places);
  const texts = new Map(corpus.map(({ statement, candidate }) => [statement.id, candidate.texts]));
  const isVerbatim = (id: number, { quote, source, documentId }: CriterionQuote) =>
    texts.get(id)?.some((text) => text.source === source && text.documentId === documentId && text.text.includes(quote)) ?? false;
  return {
    confirmed: async (query, limit) => {
      const started = performance.now();
      const answers = search.confirmed(query, limit);
      const seconds = (performance.now() - started) / 1000;
      const quotes = answers.flatMap(({ id, evidence }) => evidence.map((one) => isVerbatim(id, one)));
      const verbatim = quotes.filter(Boolean).length;
      const unproven = answers.filter(({ evidence }) => !evidence.length).length;
      return { answers, seconds, quotes: quotes.length, verbatim, unproven, ended: null, reviewed: null };
    },
    plain: async (query, limit) => search.plain(query, limit).map(({ id }) => id),
    close: async () => {},
  };
}

const only = (values: FilterValues, names: readonly string[]): FilterValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) as FilterValues;

const FIELDS: Readonly<Record<string, keyof ProjectStatement>> = {
  status: 'status',
  decisionBodies: 'decisionBody',
  requestTypes: 'requestType',
  developerName: 'parties',
};

/** Whether the record says anything in the fields that these filters look at. */
function states(statement: ProjectStatement, names: readonly string[]): boolean {
  return names.some((name) => {
    const field = FIELDS[name] ?? boundOf(name)?.measurement;
    const value = field === undefined ? null : statement[field];
    return value !== null && value !== undefined && !SAYS_NOTHING.has(value);
  });
}

const usesOf = ({ landUses = [] }: ProjectStatement) => (landUses ?? []).filter(({ role }) => role === 'primary' || role === 'secondary');

const isDecision = ({ landUses }: ProjectStatement): boolean => landUses?.some(({ type }) => type === GOVERNMENT_DECISIONS) ?? false;

/** Whether a record satisfies these filters, of those that questions become. */
function satisfies(statement: ProjectStatement, values: FilterValues): boolean {
  return FILTER_NAMES.every((name) => {
    const value = values[name] as never;
    return value === undefined || check(name, value, statement);
  });
}

function check(name: string, value: never, statement: ProjectStatement): boolean {
  const list = value as readonly unknown[];
  const bound = boundOf(name);
  if (bound) {
    const stated = statement[bound.measurement];
    return typeof stated === 'number' && (bound.end === 'gte' ? stated >= value : stated <= value);
  }
  const date = statement.meetingDate ?? '';
  const period = value as { firstDay: string; lastDay: string };
  const alternatives = (value as { alternatives?: string[] }).alternatives ?? [];
  switch (name) {
    case 'states':
      return list.includes(statement.stateId);
    case 'counties':
      return list.includes(statement.countyId);
    case 'cities':
      return list.includes(statement.cityId);
    case 'meetingDateFrom':
      return date >= period.firstDay;
    case 'meetingDateTo':
      return date !== '' && date <= period.lastDay;
    case 'dateRange': {
      const days = daysOf(value, TODAY);
      return !days || (date >= days.gte && date <= days.lte);
    }
    case 'status':
      return list.includes(statement.status ?? 'unknown');
    case 'decisionBodies':
      return list.includes(statement.decisionBody);
    case 'requestTypes':
      return list.includes(statement.requestType);
    case 'propertyTypes':
      return usesOf(statement).some(({ type }) => list.includes(type));
    case 'propertySubtypes':
      return usesOf(statement).some(({ subtype }) => list.includes(subtype));
    case 'assetClasses':
      return usesOf(statement).some(({ assetClass }) => list.includes(assetClass));
    case 'includeGovernmentDecisions':
      return true;
    case 'developerName':
      return (statement.parties ?? []).some((party) => alternatives.some((text) => ` ${words(party.name)} `.includes(` ${text} `)));
    default:
      throw new Error(`The evaluation knows no filter ${name}; teach check() in scripts/proofs/evalAi/search.ts`);
  }
}
