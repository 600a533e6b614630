/** What a test file made on the servers is kept when one of its tests fails, and listed below its failures. */
import { withoutPassword } from '../stack/passwords.ts';

let failed = false;
let kept = new Set<string>();

/** Called by the reporters. */
export const noteFailure = (): void => {
  failed = true;
};

/** @returns whether it is kept, in which case it is listed @param what for instance 'indices test-1-* of' */
export function isKept(what: string, url: string): boolean {
  if (failed) kept.add(`    ${what} ${withoutPassword(url)}`);
  return failed;
}

/** What the last file left, as text; forgets it before the next file. */
export function takeKept(): string {
  const text = kept.size > 0 ? `  Kept on the servers:\n${[...kept].join('\n')}\n` : '';
  failed = false;
  kept = new Set();
  return text;
}
