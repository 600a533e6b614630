/** Shared by every command line of the project: help with examples, checked arguments, failures in one sentence, exit codes. */
import { Command, InvalidArgumentError } from 'commander';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** A failure whose message tells the user everything: it is printed without a stack trace. */
export class UserError extends Error {
  override name = 'UserError';
}

/**
 * Help and refusals, which commander prints, end the process.
 * @param name as it is typed, @param examples printed below the help, @param usageCode exit code of a wrong command line
 */
export const makeProgram = (name: string, description: string, examples: string, usageCode = EXIT_USAGE): Command =>
  new Command(name)
    .description(description)
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', `\n${examples.trim()}`)
    .exitOverride(({ exitCode, code }) => process.exit(exitCode === 0 || code === 'commander.help' ? 0 : usageCode));

export const addCommand = (parent: Command, name: string, description: string): Command => parent.command(name).description(description);

export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  return value;
};

/** Parser of values that are separated by commas. */
export const listOf =
  <T>(parse: (text: string) => T) =>
  (text: string): T[] =>
    text.split(',').map((part) => parse(part.trim()));

/** Parser of some names of a vocabulary, separated by commas. */
export const someOf = <T extends string>(all: readonly T[]) =>
  listOf((text) => {
    const known = all.find((one) => one === text);
    if (!known) throw new InvalidArgumentError(`'${text}' is none of ${all.join(', ')}.`);
    return known;
  });

/** Makes a function the action of a command: it gets what `run` gives it, the arguments, then the options. */
export const actionsBy =
  <Context>(run: (command: Command, work: (context: Context) => Promise<void>) => Promise<void>) =>
  <Given extends unknown[]>(work: (context: Context, ...given: Given) => Promise<void>) =>
  (...given: unknown[]): Promise<void> =>
    run(given.at(-1) as Command, (context) => work(context, ...(given.slice(0, -1) as Given)));
