/** How much of a text another one has, word by word and in order. */

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,:/@-]*/gu) ?? [];

export interface WordOrder {
  /** words of the longer text */
  words: number;
  /** words that both have, in the same order */
  same: number;
}

/** The longest common sequence of words; quadratic in what differs between the first and the last difference. */
export function compareWords(source: string, read: string): WordOrder {
  const [one, other] = [wordsOf(source), wordsOf(read)];
  const words = Math.max(one.length, other.length);
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  let row = new Uint32Array(right.length + 1);
  for (const word of left) {
    const next = new Uint32Array(right.length + 1);
    for (let at = 0; at < right.length; at++)
      next[at + 1] = word === right[at] ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0);
    row = next;
  }
  return { words, same: start + end + (row.at(-1) ?? 0) };
}

/** The first words that differ, for a person to look at. */
export function showDifference(source: string, read: string): string {
  const [one, other] = [wordsOf(source), wordsOf(read)];
  const at = one.findIndex((word, index) => word !== other[index]);
  const wordsNear = (words: readonly string[]) => words.slice(Math.max(0, at - 4), at + 8).join(' ');
  return at < 0 ? '' : `${wordsNear(one)}\n  read as: ${wordsNear(other)}`;
}
