/** Passwords of the servers that the stack starts: kept with their data, for the owner's eyes alone. */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OWNER_ONLY_FILE } from '../../src/core/store/files/modes.ts';

const PASSWORD_BYTES = 24;

interface Passwords {
  postgres: string;
  redis: string;
}

/** Letters and digits only, so that URLs and SQL take it as it is. */
export const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('hex');

/** Those of the folder, made at the first call, so that a URL stays good from one start to the next. */
export function localPasswords(folder: string): Passwords {
  const file = path.join(folder, 'passwords.json');
  if (!existsSync(file)) writeFileSync(file, JSON.stringify({ postgres: newPassword(), redis: newPassword() }), { mode: OWNER_ONLY_FILE });
  return JSON.parse(readFileSync(file, 'utf8')) as Passwords;
}

/** For logs. */
export const withoutPassword = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');
