/** Lists the backups in a place, and removes files that belong to none. */
import { text } from 'node:stream/consumers';
import { type FileStore, FileStoreError, type StoredFile } from '../../core/store/files/fileStore.ts';
import { UserError } from '../../terminal/program.ts';
import { isShared, listParts, type Manifest, makeManifestName, parseManifestName, parsePartName, readManifest } from './manifest.ts';

const EVER = new Date(8.64e15);
/** Longer than a backup takes: parts without a manifest may belong to a backup that is running, possibly of another installation. */
const UNFINISHED_MS = 24 * 3_600_000;

export interface Listed {
  name: string;
  /** null when the manifest is damaged, or of a newer version */
  manifest: Manifest | null;
}

async function listFiles(store: FileStore): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for await (const file of store.listOlder(EVER)) files.push(file);
  return files;
}

async function fetchManifest(store: FileStore, name: string, signal: AbortSignal): Promise<Manifest | null> {
  const { content } = await store.read(makeManifestName(name), signal);
  const manifest = readManifest(await text(content));
  // An old backup under a new name would still have a valid signature, so the name is compared.
  return manifest?.name === name ? manifest : null;
}

/** Names of the backups in a place, oldest first. */
const listNames = async (store: FileStore) => (await listFiles(store)).flatMap((file) => parseManifestName(file.name) ?? []).sort();

/** Suggests other backups when one cannot be used. */
export async function suggestOtherBackups(store: FileStore, than: string): Promise<string> {
  const others = (await listNames(store)).filter((name) => name !== than);
  return others.length ? `Name another one with --backup: ${others.join(', ')}` : 'There is no other one.';
}

/** Newest first. */
export async function listBackups(store: FileStore, signal: AbortSignal): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (const name of (await listNames(store)).reverse()) listed.push({ name, manifest: await fetchManifest(store, name, signal) });
  return listed;
}

/**
 * The named backup, or the newest one.
 * @param at the place, for messages
 * @throws UserError when there is none, or its manifest is damaged
 */
export async function chooseBackup(store: FileStore, wanted: string | undefined, signal: AbortSignal, at?: string): Promise<Manifest> {
  const names = await listNames(store);
  const name = wanted ?? names.at(-1);
  if (name === undefined || !names.includes(name)) {
    const none = `There is no backup${at === undefined ? '' : ` in ${at}`}: one that did not finish is none`;
    throw new UserError(names.length ? `There is no backup ${name}; there are ${names.join(', ')}` : none);
  }
  const manifest = await fetchManifest(store, name, signal);
  if (manifest) return manifest;
  throw new UserError(
    `The manifest of the backup ${name} is damaged, or was written by a newer version: nothing of it is used. ${await suggestOtherBackups(store, name)}`,
  );
}

/** Removes the files of backups that were killed more than a day ago. */
export async function removeUnfinished(store: FileStore, now: Date, signal: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - UNFINISHED_MS);
  await store.removeAbandoned(before);
  const files = await listFiles(store);
  const whole = new Set(files.flatMap((file) => parseManifestName(file.name) ?? []));
  for (const { name, modifiedAt } of files) {
    const of = parsePartName(name);
    if (of !== undefined && !whole.has(of) && modifiedAt < before) await store.delete(name);
  }
  await removeUnshared(store, files, before, signal);
}

/** Removes shared parts that no backup refers to. A backup with an unreadable manifest may refer to any. */
async function removeUnshared(store: FileStore, files: readonly StoredFile[], before: Date, signal: AbortSignal): Promise<void> {
  const shared = files.filter(({ name, modifiedAt }) => isShared(name) && modifiedAt < before);
  if (!shared.length) return;
  const listed = await listBackups(store, signal);
  if (listed.some(({ manifest }) => !manifest)) return;
  const named = new Set(listed.flatMap(({ manifest }) => (manifest ? listParts(manifest).map(({ file }) => file) : [])));
  for (const { name } of shared) if (!named.has(name)) await store.delete(name);
}

/**
 * Keeps the newest `count` backups. A manifest is deleted before its parts, so that an interrupted removal leaves no incomplete backup.
 * @returns names of those removed
 */
export async function keepNewest(store: FileStore, count: number, signal: AbortSignal): Promise<string[]> {
  const removed = (await listBackups(store, signal)).slice(count).map(({ name }) => name);
  for (const name of removed) await store.delete(makeManifestName(name));
  for (const { name } of await listFiles(store)) if (removed.includes(parsePartName(name) ?? '')) await store.delete(name);
  return removed;
}

/** Whether an error means that a file does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof FileStoreError && error.failure === 'missing';
