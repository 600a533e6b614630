/**
 * A screener that asks a language model. Answers are stored, and count only as far as the built-in rules find them possible; if the model does
 * not answer, its budget is used up, or its answer cannot be trusted, the built-in rules answer instead.
 */
import { createHash } from 'node:crypto';
import { type LanguageModel, ModelBudgetSpent, type ModelTask, ModelUnavailable } from '../../core/providers/languageModel.ts';
import type { CallCeilings, ModelAnswers, ModelCaller } from './modelAnswerStore.ts';
import {
  DECOYS,
  MODEL_SCREENER_VERSION,
  type ModelCall,
  type ModelVerdicts,
  prepareCall,
  type RatedQuotes,
  type Round,
  type ShownRecord,
  shownRecord,
  splitIntoCalls,
} from './modelJudging.ts';
import { interpretAnswer, type ModelReading, readingTask } from './modelReading.ts';
import type { Criterion, ReadingContext, Understanding, Verdict } from './question/index.ts';
import { CallsUsedUp, type Judgement, nullIfCallsUsedUp, type Screener } from './screener.ts';

interface ModelScreenerOptions {
  model: LanguageModel;
  answers: ModelAnswers;
  /** calls that may be made */
  ceilings: CallCeilings;
  /** answers if the model does not */
  builtin: Screener;
  /** called with the reason why the built-in rules had to answer; the reason holds nothing of questions or texts */
  onFailure(reason: string): void;
}

const NOBODY: ModelCaller = { subject: 'none', teamId: null };
const SCORE_STEPS = 1e6;
const NEVER = new AbortController().signal;

export class ModelScreener implements Screener {
  readonly #options: ModelScreenerOptions;
  readonly #caller: ModelCaller;

  constructor(options: ModelScreenerOptions, caller = NOBODY) {
    this.#options = options;
    this.#caller = caller;
  }

  searchTerms(criteria: readonly Criterion[]): readonly (readonly string[])[] {
    const terms = this.#options.builtin.searchTerms(criteria);
    return criteria.map(({ wordings = [] }, i) => [...(terms[i] ?? []), ...wordings]);
  }

  check(judgements: readonly Judgement[], signal?: AbortSignal): Promise<Verdict[]> {
    return this.#options.builtin.confirm(judgements, signal);
  }

  scope(caller: ModelCaller): Screener {
    return new ModelScreener(this.#options, caller);
  }

  /** Part of each cache key: answers belong to one model and one team. */
  get #asking(): readonly unknown[] {
    return [this.#options.model.name, this.#caller.teamId];
  }

  /** @throws ApiError `service_unavailable` */
  async understand(query: string, context: ReadingContext, signal: AbortSignal = NEVER): Promise<Understanding> {
    const { answers, builtin } = this.#options;
    const task = readingTask(query, context);
    const key = createHash('sha256')
      .update(JSON.stringify([MODEL_SCREENER_VERSION, this.#asking, task.orders, task.data]))
      .digest('hex');
    const known = (await answers.known([key])).get(key) as ModelReading | undefined;
    const answer = known ?? (await this.#asked<ModelReading>(task, signal).catch(nullIfCallsUsedUp));
    const reading = answer ? interpretAnswer(query, answer, context) : null;
    if (!reading) return builtin.understand(query, context, signal);
    if (known) return reading;
    const kept = (await answers.keep(new Map([[key, answer]]))).get(key) as ModelReading;
    return interpretAnswer(query, kept, context) ?? reading;
  }

  /**
   * Judges records by two answers: what the first confirms is asked again, in another order and among decoys, and both have to confirm it.
   * @throws ApiError `service_unavailable`, CallsUsedUp
   */
  async confirm(judgements: readonly Judgement[], signal: AbortSignal = NEVER): Promise<Verdict[]> {
    const { builtin } = this.#options;
    const shown = judgements.map((judgement) => (judgement.criteria.length ? shownRecord(judgement) : null));
    const records = shown.flatMap((record) => record ?? []);
    const first = await this.#findings(splitIntoCalls(records), 'first', signal);
    const named = records.filter((record) => isNamed(first.get(record)));
    const decoys = records.filter((record) => first.has(record) && !named.includes(record)).slice(0, DECOYS);
    const again = await this.#findings(callsAgain(named, decoys), 'again', signal);
    const verdicts = shown.map((record) => record && verdictOf(record, first.get(record), again.get(record)));
    const left = judgements.filter((_, i) => !verdicts[i]);
    const rules = left.length ? await builtin.confirm(left, signal) : [];
    return verdicts.map((verdict) => verdict ?? (rules.shift() as Verdict));
  }

  /** For each record about which the model can be trusted, a result for each of its criteria. */
  async #findings(
    records: readonly (readonly ShownRecord[])[],
    round: Round,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<ShownRecord, RatedQuotes[]>> {
    const calls = records.map((call) => prepareCall(call, this.#asking, round));
    const known = await this.#options.answers.known(calls.map(({ key }) => key));
    const found = await Promise.all(
      calls.map(async (call) => {
        const answer = (known.get(call.key) as ModelVerdicts | undefined) ?? (await this.#answered(call, signal));
        const findings = answer ? call.findings(answer) : [];
        return call.records.flatMap((record, i) => (findings[i] ? [[record, findings[i]] as const] : []));
      }),
    );
    return new Map(found.flat());
  }

  /** Stores an answer only if it can be trusted about every record of the call. */
  async #answered(call: ModelCall, signal: AbortSignal): Promise<ModelVerdicts | null> {
    const answer = await this.#asked<ModelVerdicts>(call.task, signal);
    if (!answer) return null;
    if (call.findings(answer).includes(undefined)) {
      this.#options.onFailure('The language model confirmed what no record says');
      return answer;
    }
    return (await this.#options.answers.keep(new Map([[call.key, answer]]))).get(call.key) as ModelVerdicts;
  }

  /** @returns null if the model does not answer; `onFailure` was called with the reason @throws CallsUsedUp */
  async #asked<T>(task: ModelTask, signal: AbortSignal): Promise<T | null> {
    const { model, answers, ceilings, onFailure } = this.#options;
    const spend = async () => {
      const spent = await answers.spend(this.#caller, ceilings);
      if (spent === 'share_used_up') throw new CallsUsedUp('team');
      if (spent === 'subject_used_up') throw new CallsUsedUp('subject');
      if (spent === 'used_up') throw new ModelBudgetSpent('The calls of the language model are used up');
    };
    try {
      return await model.ask<T>(task, spend, signal);
    } catch (error) {
      if (!(error instanceof ModelUnavailable || error instanceof ModelBudgetSpent)) throw error;
      onFailure(error.message);
      return null;
    }
  }
}

const isNamed = (findings: RatedQuotes[] | undefined): boolean => findings?.every((finding) => finding !== null) ?? false;

/** Calls for the records that are judged once more, each with the decoys. */
const callsAgain = (named: readonly ShownRecord[], decoys: readonly ShownRecord[]): ShownRecord[][] => {
  const shownAsDecoys = decoys.map((decoy): ShownRecord => ({ ...decoy, judgement: { ...decoy.judgement, isDecoy: true } }));
  return splitIntoCalls(named, DECOYS).map((call) => [...call, ...shownAsDecoys]);
};

/** undefined if the model has not judged every criterion of the record, twice if it named it */
function verdictOf({ judgement }: ShownRecord, first: RatedQuotes[] | undefined, again: RatedQuotes[] | undefined): Verdict | undefined {
  if (!first || (isNamed(first) && !again)) return undefined;
  const proven = isNamed(first) && isNamed(again) ? first.flatMap((finding) => finding ?? []) : [];
  const score = proven.reduce((sum, { worth }) => sum + worth, 0) / first.length;
  return {
    projectId: judgement.candidate.projectId,
    confirmed: proven.length === first.length,
    evidence: proven.flatMap(({ evidence }) => evidence),
    score: Math.round(score * SCORE_STEPS) / SCORE_STEPS,
  };
}
