/**
 * The screener with a language model in it. What the model answers is remembered, and counts only as far as our own rules find it possible; where
 * it does not answer, may not be asked, or cannot be trusted, the built-in rules answer in its place.
 */
import { createHash } from 'node:crypto';
import type { ReadingContext, Understanding, Verdict } from '../../domain/question/index.ts';
import type { CallCeilings, ModelAnswers } from '../../store/postgres/modelAnswers.ts';
import { type LanguageModel, ModelBudgetSpent, type ModelTask, ModelUnavailable } from '../../store/provider/languageModel.ts';
import {
  callOn,
  callsOf,
  type Finding,
  MODEL_SCREENER_VERSION,
  type ModelVerdicts,
  type ShownRecord,
  shownRecord,
} from './modelJudging.ts';
import { type ModelReading, readingOf, readingTask } from './modelReading.ts';
import type { Judgement, Screener } from './screener.ts';

export interface ModelScreenerOptions {
  model: LanguageModel;
  answers: ModelAnswers;
  /** calls that may be made */
  ceilings: CallCeilings;
  /** answers where the model does not */
  builtin: Screener;
  /** hears why the built-in rules had to answer; nothing of questions or texts */
  onFailure(reason: string): void;
}

/** Of calls that are made for nobody in particular. */
const NOBODY = 'none';
const SCORE_STEPS = 1e6;
const NEVER = new AbortController().signal;

export class ModelScreener implements Screener {
  readonly #options: ModelScreenerOptions;
  readonly #subject: string;
  readonly searchTerms: Screener['searchTerms'];

  constructor(options: ModelScreenerOptions, subject = NOBODY) {
    this.#options = options;
    this.#subject = subject;
    this.searchTerms = options.builtin.searchTerms;
  }

  within(subject: string): Screener {
    return new ModelScreener(this.#options, subject);
  }

  /** @throws ApiError `service_unavailable` */
  async understand(query: string, context: ReadingContext, signal: AbortSignal = NEVER): Promise<Understanding> {
    const { model, answers, builtin } = this.#options;
    const task = readingTask(query, context);
    const key = createHash('sha256')
      .update(JSON.stringify([MODEL_SCREENER_VERSION, model.name, task.data]))
      .digest('hex');
    const known = (await answers.known([key])).get(key) as ModelReading | undefined;
    const answer = known ?? (await this.#asked<ModelReading>(task, signal));
    const reading = answer ? readingOf(query, answer, context) : null;
    if (!reading) return builtin.understand(query, context, signal);
    if (known) return reading;
    const kept = (await answers.keep(new Map([[key, answer]]))).get(key) as ModelReading;
    return readingOf(query, kept, context) ?? reading;
  }

  /** @throws ApiError `service_unavailable` */
  async confirm(judgements: readonly Judgement[], signal: AbortSignal = NEVER): Promise<Verdict[]> {
    const { model, builtin } = this.#options;
    const shown = judgements.map((judgement) => (judgement.criteria.length ? shownRecord(judgement, model.name) : null));
    const findings = await this.#findings(
      shown.flatMap((record) => record ?? []),
      signal,
    );
    const verdicts = shown.map((record) => verdictOf(record, findings));
    const left = judgements.filter((_, i) => !verdicts[i]);
    const rules = left.length ? await builtin.confirm(left, signal) : [];
    return verdicts.map((verdict) => verdict ?? (rules.shift() as Verdict));
  }

  /** By the keys of records and criteria, as far as the model knows. */
  async #findings(records: readonly ShownRecord[], signal: AbortSignal): Promise<ReadonlyMap<string, Finding>> {
    const { answers } = this.#options;
    const found = (await answers.known(records.flatMap(({ keys }) => keys))) as Map<string, Finding>;
    const open = records.filter(({ keys }) => keys.some((key) => !found.has(key)));
    await Promise.all(
      callsOf(open).map(async (call) => {
        const news = await this.#judged(call, signal);
        for (const key of found.keys()) news.delete(key);
        for (const [key, finding] of await answers.keep(news)) found.set(key, finding as Finding);
      }),
    );
    return found;
  }

  /** One call. Findings of records with which its answer can be trusted. */
  async #judged(call: readonly ShownRecord[], signal: AbortSignal): Promise<Map<string, Finding>> {
    const { task, findings } = callOn(call);
    const answer = await this.#asked<ModelVerdicts>(task, signal);
    const trusted = answer ? findings(answer) : [];
    if (trusted.includes(undefined)) this.#options.onFailure('The language model confirmed what no record says');
    return new Map(call.flatMap(({ keys }, i) => (trusted[i] ?? []).map((finding, n) => [keys[n] as string, finding] as const)));
  }

  /** null where it does not answer; why was said */
  async #asked<T>(task: ModelTask, signal: AbortSignal): Promise<T | null> {
    const { model, answers, ceilings, onFailure } = this.#options;
    const spend = async () => {
      if (!(await answers.spend(this.#subject, ceilings))) throw new ModelBudgetSpent('The calls of the language model are used up');
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

/** undefined where the model has not judged every criterion of the record */
function verdictOf(record: ShownRecord | null, findings: ReadonlyMap<string, Finding>): Verdict | undefined {
  if (!record || record.keys.some((key) => !findings.has(key))) return undefined;
  const proven = record.keys.flatMap((key) => findings.get(key) ?? []);
  const score = proven.reduce((sum, { worth }) => sum + worth, 0) / record.keys.length;
  return {
    projectId: record.judgement.candidate.projectId,
    confirmed: proven.length === record.keys.length,
    evidence: proven.map(({ evidence }) => evidence),
    score: Math.round(score * SCORE_STEPS) / SCORE_STEPS,
  };
}
