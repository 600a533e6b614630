/** The log of the service: JSON lines of bounded length, without secrets. */
import { type DestinationStream, type Logger, pino } from 'pino';

const TEXT_MAX = 2000;
const CAUSES_MAX = 3;

/**
 * The name, code, message, stack and causes of an error. Other fields are left out, since libraries attach commands with passwords and requests of
 * megabytes.
 */
function describeError(error: unknown, causes = CAUSES_MAX): unknown {
  if (!(error instanceof Error)) return String(error).slice(0, TEXT_MAX);
  const { name, message, stack, cause, code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  return {
    type: name,
    message: message.slice(0, TEXT_MAX),
    ...(code === undefined ? {} : { code }),
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(stack ? { stack: stack.slice(0, TEXT_MAX) } : {}),
    ...(cause === undefined || causes === 0 ? {} : { cause: describeError(cause, causes - 1) }),
  };
}

/** @param out where the lines go; standard output unless given */
export const makeLogger = (level: string, out?: DestinationStream): Logger =>
  pino({ level, serializers: { err: (error) => describeError(error) } }, out ?? pino.destination(1));
