/** The screener of a process: the built-in rules, with a language model before them where one is configured. */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Database } from '../../core/store/postgres/pool.ts';
import { LanguageModel, MODEL_SETTINGS, type ModelSettings } from './languageModel.ts';
import { ModelAnswers } from './modelAnswerStore.ts';
import { ModelScreener } from './modelScreener.ts';
import type { Screener } from './screener.ts';

/** @param settings of the model's client, where a client waits for the answer */
export function chooseScreener(
  { config, builtin, database, log }: { config: Config; builtin: Screener; database: Database; log: Logger },
  settings: Partial<ModelSettings> = {},
): Screener {
  const { languageModelUrl: url, languageModelKey: key, languageModelName: name } = config;
  if (url === null || name === null) return builtin;
  const { languageModelTimeoutMs: timeoutMs, languageModelConcurrency: concurrency } = config;
  return new ModelScreener({
    model: new LanguageModel({ url, key, name, settings: { ...MODEL_SETTINGS, timeoutMs, concurrency, ...settings } }),
    answers: new ModelAnswers(database),
    ceilings: {
      subjectMax: config.languageModelJobCalls,
      teamMax: config.languageModelTeamCalls,
      dayMax: config.languageModelDailyCalls,
    },
    builtin,
    onFailure: (reason) => log.warn({ reason }, 'The built-in rules answer in place of the language model'),
  });
}
