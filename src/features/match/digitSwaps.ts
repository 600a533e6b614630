/** Typing mistakes that swap two adjacent digits of a number. Pure. */

/** Every text that results from swapping two adjacent, different digits. */
export function listDigitSwaps(text: string): string[] {
  const made = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) {
    const [a, b] = [text[i] as string, text[i + 1] as string];
    if (a !== b && isDigit(a) && isDigit(b)) made.add(text.slice(0, i) + b + a + text.slice(i + 2));
  }
  return [...made];
}

const isDigit = (character: string) => character >= '0' && character <= '9';

/** Whether the texts differ by one swap of two adjacent digits. */
export function isDigitSwap(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false;
  let at = 0;
  while (a[at] === b[at]) at++;
  const [x, y] = [a[at] as string, a[at + 1] ?? ''];
  return isDigit(x) && isDigit(y) && b[at] === y && b[at + 1] === x && a.slice(at + 2) === b.slice(at + 2);
}
