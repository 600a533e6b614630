/** What a backup consists of. The manifest is written last: without it there is no backup, whatever parts lie there. Pure. */
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../core/domain/canonicalJson.ts';
import type { WrittenFile } from '../../core/store/files/fileStore.ts';
import type { AppliedMigration, CopiedTable, SequenceState } from '../../core/store/postgres/snapshot.ts';

/** 2 holds files of generations, too; of 3 every part is encrypted. */
const PLAIN = 2;
const ENCRYPTED = 3;
const WITHOUT_GENERATIONS = 1;
const FINGERPRINT_LENGTH = 32;
const MANIFEST = '.manifest.json';
const AGE = '.age';
const NAME = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** One file of the backup. */
export interface Part {
  file: string;
  sizeBytes: number;
  /** of the file as it lies there, hexadecimal */
  sha256: string;
  /** of an encrypted one what is in it */
  plain?: WrittenFile;
}

export interface TablePart extends CopiedTable {
  rows: number;
  part: Part;
}

/** A file that the service keeps besides Postgres. */
export interface KeptFile {
  kind: 'export' | 'generation';
  /** in the store of its kind */
  name: string;
  part: Part;
}

/** A file that Postgres names and that was not there, or not as it was written. */
export interface MissingFile {
  kind: KeptFile['kind'];
  name: string;
  why: 'missing' | 'damaged';
  /** place that Postgres names for it, where that is not known from the settings */
  keptIn?: string;
}

/** Settings without which a restored service would not know its own keys and cursors. */
export const SECRETS = ['KEY_PEPPER', 'CURSOR_SECRET'] as const;
export type SecretName = (typeof SECRETS)[number];
export type Secrets = Readonly<Record<SecretName, string>>;

export interface Manifest {
  format: typeof PLAIN | typeof ENCRYPTED;
  name: string;
  /** public keys of age, to each of which every part is encrypted; absent where none is */
  recipients?: readonly string[];
  /** whom and what is in it, for whoever decides where it may lie; absent where an earlier version wrote it */
  holds?: string;
  /** that the rows are of, by Postgres' clock, ISO 8601 */
  moment: string;
  finishedAt: string;
  /** version of Postgres */
  postgres: string;
  /** of the schema, oldest first */
  migrations: readonly AppliedMigration[];
  tables: readonly TablePart[];
  sequences: readonly SequenceState[];
  files: readonly KeptFile[];
  missing: readonly MissingFile[];
  /** sentences for whoever relies on it: what cannot be done with it */
  warnings: readonly string[];
  /** keyed digests by which a restore recognises the secrets; they cannot be read out of them */
  secrets: Secrets;
  /** of all else, by a key that follows from KEY_PEPPER, hexadecimal; null where an earlier version wrote it */
  signature: string | null;
}

export const HOLDS =
  'names, e-mail addresses and telephone numbers of members, of recipients of mails and of contacts that teams have paid for; hashes of their keys';

const OLDER =
  'A version that kept no files of generations in its backups made this one: the index is not built again from it, but from where loads keep them.';

/** Names sort by their moments. */
export function newName(now: Date): string {
  const moment = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  return `${moment}-${randomBytes(3).toString('hex')}`;
}

export const manifestFile = (name: string): string => `${name}${MANIFEST}`;
export const tableFile = (name: string, table: string, recipients: readonly string[]): string =>
  `${name}.${table}.copy.gz${recipients.length ? AGE : ''}`;

/** Files never change: backups share those that they have in common, for the same recipients. @param sha256 of the content */
export function sharedFile(sha256: string, recipients: readonly string[]): string {
  if (!recipients.length) return `file-${sha256}`;
  const digest = createHash('sha256').update([sha256, ...recipients.toSorted()].join('\n'));
  return `file-${digest.digest('hex')}${AGE}`;
}

/** What a part holds, whether it is encrypted or not. */
export const contentOfPart = ({ plain, sizeBytes, sha256 }: Part): WrittenFile => plain ?? { sizeBytes, sha256 };

/** The backup whose manifest a file is; undefined for any other file. */
export function nameOfManifest(file: string): string | undefined {
  const name = file.endsWith(MANIFEST) ? file.slice(0, -MANIFEST.length) : '';
  return NAME.test(name) ? name : undefined;
}

/** The backup that a file was written for alone; undefined for shared and foreign ones. */
export function nameOfPart(file: string): string | undefined {
  const [name = ''] = file.split('.');
  return NAME.test(name) ? name : undefined;
}

export const isShared = (file: string): boolean => /^file-[0-9a-f]{64}(\.age)?$/.test(file);

/** Every part, the shared ones once. */
export function partsOf({ tables, files }: Pick<Manifest, 'tables' | 'files'>): Part[] {
  return [...new Map([...tables, ...files].map(({ part }) => [part.file, part])).values()];
}

export const sizeOf = (manifest: Manifest): number => partsOf(manifest).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

export function fingerprints(name: string, secrets: Secrets): Secrets {
  const fingerprintOf = (secret: SecretName) => {
    const digest = createHmac('sha256', secrets[secret]).update(`${secret} of the backup ${name}`).digest('hex');
    return [secret, digest.slice(0, FINGERPRINT_LENGTH)] as const;
  };
  return Object.fromEntries(SECRETS.map(fingerprintOf)) as unknown as Secrets;
}

/** Those settings that are not the ones the backup was made under. */
export function otherSecrets({ name, secrets }: Pick<Manifest, 'name' | 'secrets'>, given: Secrets): SecretName[] {
  const found = fingerprints(name, given);
  return SECRETS.filter((secret) => found[secret] !== secrets[secret]);
}

type Unsigned = Omit<Manifest, 'signature'>;

const digestOf = (manifest: Unsigned) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** The same content is the same text, in whatever order its keys came. */
/** HMAC-SHA-256 of the canonical manifest, which names the digest of every part. */
function signatureOf(manifest: Unsigned, { KEY_PEPPER }: Secrets): string {
  const key = Buffer.from(hkdfSync('sha256', KEY_PEPPER, '', 'signature of backups', 32));
  return createHmac('sha256', key).update(canonicalJson(manifest)).digest('hex');
}

/** True where whoever wrote the manifest knew KEY_PEPPER. */
export function isSigned({ signature, ...manifest }: Manifest, secrets: Secrets): boolean {
  const expected = Buffer.from(signatureOf(manifest, secrets));
  const found = Buffer.from(signature ?? '');
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** The manifest with its signature, as it is kept and as `readManifest` reads it. */
export function signManifest(manifest: Omit<Unsigned, 'format'>, secrets: Secrets): Manifest {
  const whole: Unsigned = { format: manifest.recipients ? ENCRYPTED : PLAIN, ...manifest };
  return { ...whole, signature: signatureOf(whole, secrets) };
}

export const writeManifest = ({ signature, ...manifest }: Manifest): Buffer =>
  Buffer.from(`${JSON.stringify({ manifest, sha256: digestOf(manifest), signature }, null, 1)}\n`);

/** @returns null for one that was cut short or changed since it was written, or that a newer version wrote */
export function readManifest(text: string): Manifest | null {
  try {
    const { manifest, sha256, signature = null } = JSON.parse(text) as { manifest: Unsigned; sha256: string; signature?: string | null };
    if (digestOf(manifest) !== sha256) return null;
    const format: number = manifest.format;
    if (format === WITHOUT_GENERATIONS) return { ...manifest, format: PLAIN, warnings: [OLDER], signature: null };
    return format === PLAIN || format === ENCRYPTED ? { ...manifest, signature } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}
