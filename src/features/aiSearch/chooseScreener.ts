/** The screener of a process: the built-in rules, with a language model before them if one is configured. */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { LanguageModel, MODEL_SETTINGS, type ModelSettings } from '../../core/providers/languageModel.ts';
import type { Database } from '../../core/store/postgres/pool.ts';
import { ModelAnswers } from './modelAnswerStore.ts';
import { ModelScreener } from './modelScreener.ts';
import type { Screener } from './screener.ts';

/** Of the calls of a day: for one AI search, or one alert in a day, and for one team. */
const JOB_SHARE = 1 / 20;
const TEAM_SHARE = 1 / 5;

/** @param settings of the model's client, if a client waits for the answer */
export function chooseScreener(
  { config, builtin, database, log }: { config: Config; builtin: Screener; database: Database; log: Logger },
  settings: Partial<ModelSettings> = {},
): Screener {
  const { languageModelUrl: url, languageModelKey: key, languageModelName: name } = config;
  if (url === null || name === null) return builtin;
  const { languageModelTimeoutMs: timeoutMs, languageModelDailyCalls: dayMax } = config;
  return new ModelScreener({
    model: new LanguageModel({ url, key, name, settings: { ...MODEL_SETTINGS, timeoutMs, ...settings } }),
    answers: new ModelAnswers(database),
    ceilings: { subjectMax: Math.ceil(dayMax * JOB_SHARE), teamMax: Math.ceil(dayMax * TEAM_SHARE), dayMax },
    builtin,
    onFailure: (reason) => log.warn({ reason }, 'The built-in rules answer in place of the language model'),
  });
}
