/** Passwords of the servers that the stack starts: stored with their data, in a file that only its owner can read. */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OWNER_ONLY_FILE } from '../../src/core/store/files/modes.ts';

const PASSWORD_BYTES = 24;

interface Passwords {
  postgres: string;
  redis: string;
}

/** A new password of letters and digits only, which needs no escaping in URLs and SQL. */
export const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('hex');

/** The passwords of a data folder, made at the first call, so that URLs stay valid from one start to the next. */
export function localPasswords(folder: string): Passwords {
  const file = path.join(folder, 'passwords.json');
  if (!existsSync(file)) writeFileSync(file, JSON.stringify({ postgres: newPassword(), redis: newPassword() }), { mode: OWNER_ONLY_FILE });
  return JSON.parse(readFileSync(file, 'utf8')) as Passwords;
}

export const withoutPassword = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');
