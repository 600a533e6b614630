/** Encrypts parts of a backup with public keys of age (https://age-encryption.org/v1), in constant memory. */
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { UserError } from '../../terminal/program.ts';

/** Far larger than any file of keys. */
const IDENTITY_FILE_BYTES_MAX = 65_536;

type Bytes = AsyncIterable<Uint8Array>;

/** Loaded only when something is encrypted or decrypted. */
const loadAge = () => import('age-encryption');

/** Checks public keys. @throws UserError that names the first invalid one */
export async function checkRecipients(recipients: readonly string[]): Promise<void> {
  for (const recipient of recipients) await makeEncrypter([recipient]);
}

async function makeEncrypter(recipients: readonly string[]) {
  const { Encrypter } = await loadAge();
  const made = new Encrypter();
  for (const recipient of recipients) {
    try {
      made.addRecipient(recipient);
    } catch {
      throw new UserError(`--recipient ${recipient} is no public key of age: those begin with age1, as age-keygen prints them`);
    }
  }
  return made;
}

export async function* encrypt(content: Bytes, recipients: readonly string[]): AsyncGenerator<Uint8Array> {
  yield* await (await makeEncrypter(recipients)).encrypt(ReadableStream.from(content));
}

/** Decrypts content. @throws errors of the content; UserError when no identity can decrypt it, or it was modified */
export async function* decrypt(content: Bytes, identities: readonly string[], what: string): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  let failure: unknown;
  async function* watched() {
    try {
      yield* content;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  try {
    yield* await decrypter.decrypt(ReadableStream.from(watched()));
  } catch (error) {
    throw failure ?? new UserError(`${what} cannot be decrypted with --identity: ${(error as Error).message}`);
  }
}

/** Reads secret keys from a file of age-keygen. @throws UserError */
export async function readIdentities(file: string): Promise<string[]> {
  let content: string;
  try {
    content = await text(createReadStream(file, { end: IDENTITY_FILE_BYTES_MAX - 1 }));
  } catch (error) {
    throw new UserError(`--identity ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  const lines = content.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  const { Decrypter } = await loadAge();
  for (const line of lines) {
    try {
      new Decrypter().addIdentity(line);
    } catch {
      throw new UserError(
        `--identity ${file} has to hold secret keys of age alone, a line each (AGE-SECRET-KEY-…); one with a passphrase is decrypted first`,
      );
    }
  }
  if (!lines.length) throw new UserError(`--identity ${file} holds no secret key of age (AGE-SECRET-KEY-…)`);
  return lines;
}
