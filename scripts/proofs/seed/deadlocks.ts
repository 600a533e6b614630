/** Circles among connections that wait for each other. Pure. */

/** Transactions that wait for each other: one of them would be ended by Postgres. */
export class Deadlock extends Error {}

/** @param by for each connection those that it waits for @throws Deadlock */
export function throwAtCircle(by: ReadonlyMap<number, readonly number[]>): void {
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
