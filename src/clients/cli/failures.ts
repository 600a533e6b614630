/** Errors as sentences with remedies, and exit codes like those of GitHub's `gh`. */

import { UserError } from '../../terminal/program.ts';
import { problemInWords } from '../client/errors.ts';
import { ConnectionFailure, isRefusal, JobFailure, type Problem, type Refusal, SearchTooWide, UnusableKey } from '../client/index.ts';

export const EXITS = { done: 0, failed: 1, cancelled: 2, unauthenticated: 4 } as const;

/** Stopped by Ctrl-C. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

/** There is no key, or it does not work. */
export class NoKey extends UserError {}

const LOG_IN = 'Run "landuse login", or set LANDUSE_KEY.';
const PROBLEMS_SHOWN = 5;
const UNAUTHENTICATED = ['missing_api_key', 'unauthorized', 'key_expired', 'account_disabled'] as const;

function problemLines(problems: readonly Problem[]): string {
  const left = problems.length - PROBLEMS_SHOWN;
  return [...problems.slice(0, PROBLEMS_SHOWN).map(problemInWords), ...(left > 0 ? [`And ${left} more.`] : [])].join('\n');
}

function refusalSentence(refusal: Refusal, hasLimit: boolean): string {
  const message = refusal.message.endsWith('?') ? refusal.message : refusal.message.replace(/[.:]?$/, '.');
  if (isRefusal(refusal, 'invalid_filter', 'invalid_request')) return problemLines(refusal.details?.problems ?? []) || message;
  if (isRefusal(refusal, 'insufficient_credits')) {
    const { affordableRecordCount, creditsRequired, creditsRemaining } = refusal.details.quote;
    const remedy = hasLimit
      ? `take --limit ${affordableRecordCount} or less`
      : `narrow the filters to ${affordableRecordCount} records or fewer`;
    return `This would cost ${creditsRequired} credits, and ${creditsRemaining} are left: ${remedy}. Nothing was charged.`;
  }
  if (isRefusal(refusal, 'credits_exhausted'))
    return `${message} "landuse credits" shows the balance, and when it is filled again; a trial's credits are given once.`;
  if (isRefusal(refusal, 'geographic_access_denied')) {
    const allowed = (refusal.details?.allowedStates ?? []).map(({ name }) => name);
    return `${message} Your licence covers ${allowed.length ? allowed.join(', ') : 'other places'}: leave places out to have all of it.`;
  }
  if (isRefusal(refusal, 'rate_limit_exceeded')) return `${message} Wait, and run it again.`;
  return `${message} More: ${refusal.docsUrl}`;
}

/**
 * The message and exit code for an error.
 * @param hasLimit whether the command has the option --limit
 * @returns undefined for a defect, which should be shown with its stack
 */
export function failureOf(error: unknown, hasLimit: boolean): { message: string; exit: number } | undefined {
  if (error instanceof Cancelled) return { message: error.message, exit: EXITS.cancelled };
  if (error instanceof UnusableKey) return { message: `${error.message}. ${LOG_IN}`, exit: EXITS.unauthenticated };
  if (error instanceof NoKey) return { message: `${error.message} ${LOG_IN}`, exit: EXITS.unauthenticated };
  if (isRefusal(error, ...UNAUTHENTICATED))
    return { message: `${error.message.replace(/\.?$/, '.')} ${LOG_IN}`, exit: EXITS.unauthenticated };
  if (isRefusal(error)) return { message: refusalSentence(error, hasLimit), exit: EXITS.failed };
  if (error instanceof ConnectionFailure)
    return { message: `${error.message}: is the service running, and is its address right (--url, LANDUSE_URL)?`, exit: EXITS.failed };
  if (error instanceof SearchTooWide) return { message: `${error.message.replace('use sync', 'use "landuse sync"')}.`, exit: EXITS.failed };
  if (error instanceof JobFailure || error instanceof UserError) return { message: error.message, exit: EXITS.failed };
  return undefined;
}
