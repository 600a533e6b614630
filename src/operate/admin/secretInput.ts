/** Reads a secret from standard input, since arguments are visible in the list of processes and in the shell's history. */
import type { Readable } from 'node:stream';
import { UserError } from '../../terminal/program.ts';

const SECRET_BYTES_MAX = 4_096;

/** Reads one line without surrounding blanks. @throws UserError when there is none, or it is too long */
export async function readSecret(input: Readable & { isTTY?: boolean }): Promise<string> {
  if (input.isTTY) console.error('The secret, then Enter and Ctrl-D:');
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (Buffer.byteLength(text) > SECRET_BYTES_MAX) throw new UserError(`The secret has more than ${SECRET_BYTES_MAX} bytes.`);
  }
  const secret = text.trim();
  if (secret) return secret;
  throw new UserError('There is no secret on standard input. Example: npm run admin -- key import --user 2 < secret.txt');
}
