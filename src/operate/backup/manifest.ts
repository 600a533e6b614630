/** The manifest of a backup. It is written last, so that without it the other files are not a backup. Pure. */
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../core/domain/canonicalJson.ts';
import type { WrittenFile } from '../../core/store/files/fileStore.ts';
import type { AppliedMigration, CopiedTable, SequenceState } from '../../core/store/postgres/tableSnapshot.ts';

/** Formats: in 3 every part is encrypted. */
const PLAIN = 2;
const ENCRYPTED = 3;
const FINGERPRINT_LENGTH = 32;
const MANIFEST = '.manifest.json';
const AGE = '.age';
const NAME = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** One file of the backup. */
export interface Part {
  file: string;
  sizeBytes: number;
  /** SHA-256 of the stored file, hexadecimal */
  sha256: string;
  /** digest and size of the content, for an encrypted file */
  plain?: WrittenFile;
}

export interface TablePart extends CopiedTable {
  rows: number;
  part: Part;
}

/** A file that the service keeps outside of Postgres. */
export interface KeptFile {
  kind: 'export' | 'generation';
  /** name in the store of its kind */
  name: string;
  part: Part;
}

/** A file recorded in Postgres that was missing, or not as recorded. */
export interface MissingFile {
  kind: KeptFile['kind'];
  name: string;
  why: 'missing' | 'damaged';
  /** the recorded place, if it cannot be determined from the settings */
  keptIn?: string;
}

/** Secrets without which a restored service would not recognise its own keys and cursors. */
export const SECRET_NAMES = ['KEY_PEPPER', 'CURSOR_SECRET'] as const;
export type SecretName = (typeof SECRET_NAMES)[number];
export type Secrets = Readonly<Record<SecretName, string>>;

export interface Manifest {
  format: typeof PLAIN | typeof ENCRYPTED;
  name: string;
  /** public keys of age for which every part is encrypted; absent without encryption */
  recipients?: readonly string[];
  /** describes the personal data in the backup, to decide where it may be stored */
  holds: string;
  /** time of the backup, by the clock of Postgres, ISO 8601 */
  moment: string;
  finishedAt: string;
  postgres: string;
  /** migrations of the schema, oldest first */
  migrations: readonly AppliedMigration[];
  tables: readonly TablePart[];
  sequences: readonly SequenceState[];
  files: readonly KeptFile[];
  missing: readonly MissingFile[];
  /** sentences on what cannot be done with the backup */
  warnings: readonly string[];
  /** keyed digests that identify the secrets without revealing them */
  secrets: Secrets;
  /** HMAC of everything else with a key derived from KEY_PEPPER, hexadecimal; null where there is none */
  signature: string | null;
}

export const HOLDS =
  'names, e-mail addresses and telephone numbers of members, of recipients of mails and of contacts that teams have paid for; hashes of their keys';

/** The name of a new backup; names sort by time. */
export function makeName(now: Date): string {
  const moment = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  return `${moment}-${randomBytes(3).toString('hex')}`;
}

export const makeManifestName = (name: string): string => `${name}${MANIFEST}`;
export const makeTableFileName = (name: string, table: string, recipients: readonly string[]): string =>
  `${name}.${table}.copy.gz${recipients.length ? AGE : ''}`;

/**
 * The name of a shared part. Files never change, so backups for the same recipients share them.
 * @param sha256 of the content
 */
export function makeSharedFileName(sha256: string, recipients: readonly string[]): string {
  if (!recipients.length) return `file-${sha256}`;
  const digest = createHash('sha256').update([sha256, ...recipients.toSorted()].join('\n'));
  return `file-${digest.digest('hex')}${AGE}`;
}

/** Digest and size of a part's content, encrypted or not. */
export const readContentOfPart = ({ plain, sizeBytes, sha256 }: Part): WrittenFile => plain ?? { sizeBytes, sha256 };

/** The name of the backup to which a manifest file belongs; undefined for any other file. */
export function parseManifestName(file: string): string | undefined {
  const name = file.endsWith(MANIFEST) ? file.slice(0, -MANIFEST.length) : '';
  return NAME.test(name) ? name : undefined;
}

/** The name of the backup for which a file was written; undefined for shared and foreign files. */
export function parsePartName(file: string): string | undefined {
  const [name = ''] = file.split('.');
  return NAME.test(name) ? name : undefined;
}

export const isShared = (file: string): boolean => /^file-[0-9a-f]{64}(\.age)?$/.test(file);

/** All parts, shared ones only once. */
export function listParts({ tables, files }: Pick<Manifest, 'tables' | 'files'>): Part[] {
  return [...new Map([...tables, ...files].map(({ part }) => [part.file, part])).values()];
}

export const sumSizes = (manifest: Manifest): number => listParts(manifest).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

export function fingerprintSecrets(name: string, secrets: Secrets): Secrets {
  const fingerprintOf = (secret: SecretName) => {
    const digest = createHmac('sha256', secrets[secret]).update(`${secret} of the backup ${name}`).digest('hex');
    return [secret, digest.slice(0, FINGERPRINT_LENGTH)] as const;
  };
  return Object.fromEntries(SECRET_NAMES.map(fingerprintOf)) as unknown as Secrets;
}

/** The secrets that differ from those with which the backup was made. */
export function findOtherSecrets({ name, secrets }: Pick<Manifest, 'name' | 'secrets'>, given: Secrets): SecretName[] {
  const found = fingerprintSecrets(name, given);
  return SECRET_NAMES.filter((secret) => found[secret] !== secrets[secret]);
}

type Unsigned = Omit<Manifest, 'signature'>;

const digestManifest = (manifest: Unsigned) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** HMAC-SHA-256 of the canonical manifest, which names the digest of every part. */
function computeSignature(manifest: Unsigned, { KEY_PEPPER }: Secrets): string {
  const key = Buffer.from(hkdfSync('sha256', KEY_PEPPER, '', 'signature of backups', 32));
  return createHmac('sha256', key).update(canonicalJson(manifest)).digest('hex');
}

/** Whether the manifest was written by someone who knows KEY_PEPPER. */
export function isSigned({ signature, ...manifest }: Manifest, secrets: Secrets): boolean {
  const expected = Buffer.from(computeSignature(manifest, secrets));
  const found = Buffer.from(signature ?? '');
  return found.length === expected.length && timingSafeEqual(found, expected);
}

export function signManifest(manifest: Omit<Unsigned, 'format'>, secrets: Secrets): Manifest {
  const whole: Unsigned = { format: manifest.recipients ? ENCRYPTED : PLAIN, ...manifest };
  return { ...whole, signature: computeSignature(whole, secrets) };
}

export const writeManifest = ({ signature, ...manifest }: Manifest): Buffer =>
  Buffer.from(`${JSON.stringify({ manifest, sha256: digestManifest(manifest), signature }, null, 1)}\n`);

/** Parses a manifest. @returns null when it is truncated, modified, or written by a newer version */
export function readManifest(text: string): Manifest | null {
  try {
    const { manifest, sha256, signature = null } = JSON.parse(text) as { manifest: Unsigned; sha256: string; signature?: string | null };
    if (digestManifest(manifest) !== sha256) return null;
    const format: number = manifest.format;
    return format === PLAIN || format === ENCRYPTED ? { ...manifest, signature } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}
