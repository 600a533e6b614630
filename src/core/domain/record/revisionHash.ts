/** Revisions as the ledger stores them. Pure. */
import { hash } from 'node:crypto';

/** One signed 64-bit number for (project, revision), as decimal text because it exceeds what a JavaScript number holds. */
export function revisionHash(id: number, revision: string): string {
  return hash('sha256', `${id}:${revision}`, 'buffer').readBigInt64BE(0).toString();
}
