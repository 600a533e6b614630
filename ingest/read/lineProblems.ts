/** Problems of lines: each is worded without the value, for grouping, and with it, for the person who corrects the line. Pure. */

export interface LineProblem {
  /** what is wrong and where in the line, without values and positions in lists: the same for every line with this fault */
  fault: string;
  /** the same with its value and position */
  reason: string;
  /** of the finding that names it, where the rest of the file is loaded without the line */
  code?: 'duplicate_key' | 'ids_contradict' | 'text_damaged' | 'dates_contradict' | 'placeholder_date';
}

/** A problem, and the field of the line that has it. */
export interface FieldProblem extends LineProblem {
  field: string | undefined;
}

const NAME_CHARACTERS = 100;

/** A field name taken from the file, shortened and escaped for a terminal. */
export const shortenName = (name: string) => JSON.stringify(name.slice(0, NAME_CHARACTERS)).slice(1, -1);

/** A statement that contradicts the catalogues; its problems name fields and values. */
export class UnusableStatement extends Error {
  readonly problems: readonly LineProblem[];

  constructor(...problems: LineProblem[]) {
    super(problems.map(({ reason }) => reason).join('; '));
    this.problems = problems;
  }
}

/** Makes the error for one problem. @param reason the fault with the actual value */
export const makeUnusableStatement = (fault: string, reason: string, code?: LineProblem['code']) =>
  new UnusableStatement({ fault, reason, ...(code ? { code } : {}) });

/** The problems that `work` throws; none where it succeeds. Any other error is thrown on. */
export function collectProblems(work: () => unknown): readonly LineProblem[] {
  const problems: LineProblem[] = [];
  runCheck(work, problems);
  return problems;
}

/** Runs a check and adds its problems to the known ones. @returns its result; undefined if it failed */
function runCheck<R>(work: () => R, problems: LineProblem[]): R | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnusableStatement)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/**
 * The results of all parts by name. If one fails, the others are checked nevertheless.
 * @throws UnusableStatement with the problems of every part
 */
export function checkAll<T extends Record<string, () => unknown>>(parts: T): { [K in keyof T]: ReturnType<T[K]> } {
  const results: Record<string, unknown> = {};
  const problems: LineProblem[] = [];
  for (const name in parts) results[name] = runCheck(parts[name] as () => unknown, problems);
  if (problems.length) throw new UnusableStatement(...problems);
  return results as { [K in keyof T]: ReturnType<T[K]> };
}

/** The result for every item. @throws UnusableStatement with the problems of all of them */
export function checkEach<T, R>(items: readonly T[], work: (item: T) => R): R[] {
  const problems: LineProblem[] = [];
  const results = items.map((item) => runCheck(() => work(item), problems));
  if (problems.length) throw new UnusableStatement(...problems);
  return results as R[];
}
