/** Detects deadlocks: cycles of connections that wait for each other. Pure. */

/** Transactions wait for each other; Postgres would abort one of them. */
export class Deadlock extends Error {}

/** @param by for each connection those that it waits for @throws Deadlock */
export function throwIfDeadlocked(by: ReadonlyMap<number, readonly number[]>): void {
  for (const [start] of by) {
    const seen = new Set<number>();
    const next = [...(by.get(start) ?? [])];
    for (let pid = next.pop(); pid !== undefined; pid = next.pop()) {
      if (pid === start) throw new Deadlock('Two transactions wait for each other');
      if (seen.has(pid)) continue;
      seen.add(pid);
      next.push(...(by.get(pid) ?? []));
    }
  }
}
