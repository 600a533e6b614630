import { distance } from 'fastest-levenshtein';

/** The number of mistyped letters between two words; two swapped neighbours count as one. Pure. */
export function countMistypedLetters(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  if (a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)) return 1;
  return distance(a, b);
}
