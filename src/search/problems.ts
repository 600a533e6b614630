/** What is wrong with parameters of which each can be read: they contradict each other, or a route takes them only with others. Pure. */
import type { Refusal } from '../domain/errors.ts';
import type { ControlName } from '../filter/controls.ts';
import type { Reading } from '../filter/parse.ts';

export const contradiction = (param: string, message: string, details?: Record<string, unknown>): Refusal => ({
  param,
  code: 'contradiction',
  message,
  answer: 'invalid_request',
  ...(details ? { details } : {}),
});

/** Nothing is said of a parameter that cannot be read. */
export const areRead = ({ unusable }: Reading, ...names: ControlName[]) => names.every((name) => !unusable.has(name));
