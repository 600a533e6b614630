/** Verifies every part of a backup before it is used. */
import { ContentDigest, digestFile } from '../../core/store/files/contentDigest.ts';
import { type FileStore, FileStoreError } from '../../core/store/files/fileStore.ts';
import { UserError } from '../../terminal/program.ts';
import { decrypt } from './encryption.ts';
import { canBeLeftOut, leaveOut, namePart } from './leaveOut.ts';
import { isMissing, suggestOtherBackups } from './list.ts';
import { listParts, type Manifest, type Part } from './manifest.ts';
import type { BackupWatch } from './takeBackup.ts';

async function findPartProblem(store: FileStore, part: Part, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { sizeBytes, sha256 } = await digestFile(store, part.file, signal);
    if (sizeBytes !== part.sizeBytes) return `${part.file} has ${sizeBytes} bytes in place of ${part.sizeBytes}`;
    return sha256 === part.sha256 ? undefined : `${part.file} has been changed since it was written`;
  } catch (error) {
    if (isMissing(error)) return `${part.file} is missing`;
    throw error;
  }
}

interface Problem {
  text: string;
  part: Part;
}

/** Suggests how to restore the undamaged parts. */
function suggestRemedies(manifest: Manifest, problems: readonly Problem[]): string[] {
  const damaged = problems.map(({ part }) => namePart(manifest, part));
  const needed = damaged.filter((name) => !canBeLeftOut(manifest, name));
  if (needed.length) return [`Nothing works without ${needed.join(', ')}: of this backup the rest is of no use.`];
  const { leftOut } = leaveOut(manifest, damaged);
  return [
    `All other parts are whole. To restore them: ${damaged.map((name) => `--without ${name}`).join(' ')}`,
    ...leftOut.map(({ part, loses }) => `  Lost without ${part}: ${loses}`),
  ];
}

/** Verifies the stored parts. @throws UserError with every part that is missing or damaged */
export async function verifyParts(store: FileStore, manifest: Manifest, { signal, onProgress }: BackupWatch): Promise<void> {
  const parts = listParts(manifest);
  const problems: Problem[] = [];
  for (const [i, part] of parts.entries()) {
    const text = await findPartProblem(store, part, signal);
    if (text) problems.push({ text, part });
    onProgress('check', i + 1, parts.length);
  }
  if (!problems.length) return;
  const remedy = await suggestOtherBackups(store, manifest.name);
  const damage = `The backup ${manifest.name} is damaged; nothing of it was used. ${remedy}`;
  throw new UserError([[damage, ...problems.map(({ text }) => text)].join('\n  '), ...suggestRemedies(manifest, problems)].join('\n'));
}

/** The decrypted content of a part; fails at the end when it is damaged. @throws FileStoreError, UserError */
export function readContent(store: FileStore, part: Part, { signal, identities }: Reading): AsyncGenerator<Uint8Array> {
  const content = readBytes(store, part, signal);
  return part.plain ? decrypt(content, identities, part.file) : content;
}

export interface Reading {
  signal: AbortSignal;
  /** secret keys of age */
  identities: readonly string[];
}

/** Finds a wrong identity before anything is written. @throws UserError */
export async function refuseOtherIdentities(store: FileStore, manifest: Manifest, reading: Reading): Promise<void> {
  const [smallest] = listParts(manifest).sort((a, b) => a.sizeBytes - b.sizeBytes);
  if (smallest) for await (const _ of readContent(store, smallest, reading));
}

async function* readBytes(store: FileStore, part: Part, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const digest = new ContentDigest();
  const { content } = await store.read(part.file, signal);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    digest.add(chunk);
    yield chunk;
  }
  if (digest.end().sha256 !== part.sha256) throw new FileStoreError('unavailable', `${part.file} has been changed while it was read`);
}
