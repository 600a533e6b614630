/** The common parts of operators' commands: settings, output, exit codes, and failures in one sentence. */
import path from 'node:path';
import { ConfigError } from '../config.ts';
import { ApiError } from '../core/domain/errors.ts';
import { commandEnvironment } from '../core/store/files/localStack.ts';
import { findDatabaseBlock } from '../core/store/postgres/databaseBlock.ts';
import { printableJson, printableLines } from '../terminal/printable.ts';
import { EXIT_FAILED, EXIT_USAGE, UserError } from '../terminal/program.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The settings of a command: the environment, completed from the stack running in this project. */
export const operatorEnvironment = () => commandEnvironment(root, process.env);

/** Prints one JSON value with --json, otherwise the lines. */
export const printResult = (json: boolean, value: unknown, lines: readonly string[]): void =>
  console.log(json ? printableJson(value) : printableLines(lines.join('\n')));

export interface CommandFailure {
  message: string;
  /** machine-readable code */
  code: string;
  exit?: number;
}

/** How a command describes its own errors. @param cause of an ApiError, otherwise the error itself */
export interface FailureWords {
  explain(error: unknown, cause: unknown): CommandFailure | undefined;
  /** what to do once Postgres accepts writes again */
  afterBlock: string;
}

/** Reports an expected failure in a sentence; any other error is a defect and is rethrown with its stack. */
export function reportFailure(error: unknown, json: boolean, words: FailureWords): void {
  const failure = explainFailure(error, words);
  if (!failure) throw error;
  const { message, code, exit = EXIT_FAILED } = failure;
  console.error(json ? JSON.stringify({ error: { code, message } }) : printableLines(message));
  process.exitCode = exit;
}

function explainFailure(error: unknown, { explain, afterBlock }: FailureWords): CommandFailure | undefined {
  if (error instanceof ConfigError)
    return {
      message: `${error.message}\nOr start local servers first: npm run stack (or npm run demo).`,
      code: 'config',
      exit: EXIT_USAGE,
    };
  if (error instanceof UserError) return { message: error.message, code: 'failed' };
  const cause = error instanceof ApiError ? error.cause : error;
  const block = findDatabaseBlock(cause);
  return block ? { message: `${block.remedy} ${afterBlock}`, code: 'service_unavailable' } : explain(error, cause);
}
