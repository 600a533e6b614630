/** The environment of a program that a test starts with its own settings: none of the caller's. */
import { shiftedClock } from '../../scripts/dates/shiftedClock.ts';

const { PATH = '', NODE_COMPILE_CACHE } = process.env;

export const bareEnvironment: Readonly<Record<string, string>> = {
  PATH,
  ...shiftedClock,
  ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
};
