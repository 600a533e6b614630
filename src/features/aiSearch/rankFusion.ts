/** Joins rankings: reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). Pure. */

/** That of the paper. */
const DAMPING = 60;

/**
 * Ids of all lists, each once: first those that rank high in many. Equal ones keep the order in which the lists name them.
 * @param lists best first @param damping the more, the more a rank behind the first ones still counts
 */
export function fuseRanks(lists: readonly (readonly number[])[], damping = DAMPING): number[] {
  const scores = new Map<number, number>();
  for (const list of lists) for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (damping + rank + 1));
  return [...scores.keys()].sort((a, b) => (scores.get(b) as number) - (scores.get(a) as number));
}
