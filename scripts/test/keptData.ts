/** Keeps the data of a test file on the servers if one of its tests failed, and lists it below the failures. */
import { withoutPassword } from '../stack/passwords.ts';

let failed = false;
let kept = new Set<string>();

/** Called by the reporters for each failed test. */
export const noteFailure = (): void => {
  failed = true;
};

/** Lists data as kept if a test failed. @returns whether it is kept @param what for instance 'indices test-1-* of' */
export function keepIfFailed(what: string, url: string): boolean {
  if (failed) kept.add(`    ${what} ${withoutPassword(url)}`);
  return failed;
}

/** The list of data kept after the last file, as text; the list is then emptied for the next file. */
export function takeKeptList(): string {
  const text = kept.size > 0 ? `  Kept on the servers:\n${[...kept].join('\n')}\n` : '';
  failed = false;
  kept = new Set();
  return text;
}
