/** Problems of parameters that were each parsed: they contradict each other, or a route accepts them only with others. Pure. */
import type { RequestRefusal } from '../domain/errors.ts';
import { normalizeWords } from '../domain/words.ts';
import type { ControlName } from '../filter/controls.ts';
import type { ParameterReading } from '../filter/parse.ts';

export const contradiction = (param: string, message: string, details?: Record<string, unknown>): RequestRefusal => ({
  param,
  code: 'contradiction',
  message,
  answer: 'invalid_request',
  ...(details ? { details } : {}),
});

/** Whether all these parameters were parsed; an unusable one is reported only once. */
export const areParsed = ({ unusable }: ParameterReading, ...names: ControlName[]) => names.every((name) => !unusable.has(name));

/** Problems of a text that contains no word. */
export const wordProblems = (param: string, value: unknown): RequestRefusal[] =>
  typeof value !== 'string' || normalizeWords(value)
    ? []
    : [{ param, code: 'invalid_value', message: `${param} holds no word: say in plain words what is asked`, answer: 'invalid_request' }];
