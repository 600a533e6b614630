/** What a test file made on the servers stays there when one of its tests fails, and is named below its failures. */
import { withoutPassword } from '../stack/passwords.ts';

let failed = false;
let kept: string[] = [];

/** Called by the reporters. */
export const noteFailure = (): void => {
  failed = true;
};

/** @returns whether it stays, in which case it is named @param what for instance 'indices test-1-* of' */
export function isKept(what: string, url: string): boolean {
  if (failed) kept.push(`    ${what} ${withoutPassword(url)}`);
  return failed;
}

/** What stays of the file that has ended, as text; the next file begins afresh. */
export function takeKept(): string {
  const text = kept.length > 0 ? `  Kept for a look:\n${kept.join('\n')}\n` : '';
  failed = false;
  kept = [];
  return text;
}
