/** What a load would refuse of a line is left out before the line is written: the schema of a generation says what that is. Pure. */
import { parseLine } from '../../read/parseLine.ts';

type Line = Readonly<{ kind: 'project' | 'document'; id: number }>;

/** The line without the values that its schema refuses; of a list only the entries. @param note gets each field that loses something, and why */
export function keepLoadable<L extends Line>(line: L, note: (field: string, reasons: string[]) => void): L {
  const read = parseLine(JSON.stringify(line));
  if (!('problems' in read)) return line;
  const { kind, id } = line;
  const problemsOf = (field: string, value: unknown) => {
    const alone = parseLine(JSON.stringify({ kind, id, [field]: value }));
    return 'problems' in alone ? alone.problems : [];
  };
  const kept = Object.entries(line).flatMap(([field, value]: [string, unknown]): [string, unknown][] => {
    const problems = read.unreadable.has(field) ? problemsOf(field, value) : [];
    if (!problems.length) return [[field, value]];
    note(field, [...new Set(problems.map(({ fault }) => `left out: ${fault}`))]);
    const fitting = Array.isArray(value) ? value.filter((one) => !problemsOf(field, [one]).length) : [];
    return fitting.length && !problemsOf(field, fitting).length ? [[field, fitting]] : [];
  });
  return Object.fromEntries(kept) as unknown as L;
}
