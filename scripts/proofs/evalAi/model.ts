/** The language model that an evaluation asks: that of the product's own settings, a recording of it, or answers recorded before. */
import { UserError } from '../../../src/terminal/program.ts';
import { type RecordedModel, startRecordedModel } from '../../lib/recordedModel.ts';

export interface ModelOptions {
  /** ask the model of LANGUAGE_MODEL_URL */
  model: boolean;
  /** file that its answers are kept in, and taken from */
  record?: string;
  /** file that answers are taken from, without a model */
  replay?: string;
}

export interface EvalModel {
  /** settings of the service that it asks the model by */
  settings: Readonly<Record<string, string>>;
  /** how the page names it */
  name: string;
  /** absent where the model is asked itself */
  recorded?: RecordedModel;
}

const RECORDED_NAME = 'recorded';

/** @param env of the process @returns undefined where the built-in rules answer @throws UserError */
export async function chooseModel({ model, record, replay }: ModelOptions, env: NodeJS.ProcessEnv): Promise<EvalModel | undefined> {
  if (record !== undefined && replay !== undefined) throw new UserError('Give --record or --replay, not both.');
  if (replay !== undefined) {
    const recorded = await startRecordedModel({ file: replay, answersOpenCalls: true });
    return { recorded, name: 'recorded answers', settings: settingsOf(recorded.url) };
  }
  if (!model && record === undefined) return undefined;
  const { LANGUAGE_MODEL_URL: url, LANGUAGE_MODEL_NAME: name, LANGUAGE_MODEL_KEY: key = null } = env;
  if (!url || !name)
    throw new UserError('Set LANGUAGE_MODEL_URL and LANGUAGE_MODEL_NAME (and LANGUAGE_MODEL_KEY), or give --replay with recorded answers.');
  const ofModel = Object.entries(env).filter(([setting, value]) => setting.startsWith('LANGUAGE_MODEL_') && value !== undefined);
  const settings = Object.fromEntries(ofModel) as Record<string, string>;
  if (record === undefined) return { name, settings };
  const recorded = await startRecordedModel({ file: record, model: { url, key, name } });
  return { recorded, name, settings: { ...settings, ...settingsOf(recorded.url) } };
}

const settingsOf = (url: string) => ({ LANGUAGE_MODEL_URL: url, LANGUAGE_MODEL_NAME: RECORDED_NAME });
