/** What is wrong with parameters of which each can be read: they contradict each other, or a route takes them only with others. Pure. */
import type { RequestRefusal } from '../domain/errors.ts';
import { words } from '../domain/words.ts';
import type { ControlName } from '../filter/controls.ts';
import type { ParameterReading } from '../filter/parse.ts';

export const contradiction = (param: string, message: string, details?: Record<string, unknown>): RequestRefusal => ({
  param,
  code: 'contradiction',
  message,
  answer: 'invalid_request',
  ...(details ? { details } : {}),
});

/** Nothing is said of a parameter that cannot be read. */
export const areRead = ({ unusable }: ParameterReading, ...names: ControlName[]) => names.every((name) => !unusable.has(name));

/** A text in plain words has to hold one. */
export const wordProblems = (param: string, value: unknown): RequestRefusal[] =>
  typeof value !== 'string' || !value.trim() || words(value)
    ? []
    : [{ param, code: 'invalid_value', message: `${param} holds no word: say in plain words what is asked`, answer: 'invalid_request' }];
