/** Checks of the store of exports, and of the mail server. */
import { statfs } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { MailServer } from '../../core/mail/smtp.ts';
import { type ExportFileSettings, openExportFiles } from '../../core/store/files/exportFiles.ts';
import { IS_ADDRESS } from '../../core/store/files/fileStore.ts';
import { fail, makeOk, makeSkipped, type PreflightFinding, probe } from './finding.ts';

const TIMEOUT_MS = 10_000;
const PROBE_FILE = 'preflight';
const DISK_LEAST_BYTES = 1024 ** 3;

async function* aByte() {
  yield new Uint8Array([1]);
}

/** Writes a file, as an export does, and deletes it. */
export async function checkFiles(settings: ExportFileSettings): Promise<PreflightFinding[]> {
  const { exportDir } = settings;
  const isBucket = IS_ADDRESS.test(exportDir);
  const remedy = isBucket
    ? 'The access key of EXPORT_BUCKET_KEY needs to read, write, delete and list'
    : `Make ${exportDir} writable for the service's user, or set EXPORT_DIR`;
  return probe('files of exports', remedy, TIMEOUT_MS, async () => {
    const store = await openExportFiles(settings);
    await store.write(PROBE_FILE, aByte(), AbortSignal.timeout(TIMEOUT_MS));
    await store.delete(PROBE_FILE);
    const written = makeOk('files of exports', isBucket ? 'the bucket takes them' : `${exportDir} takes them`);
    return isBucket ? [written] : [written, await checkDisk(exportDir)];
  });
}

async function checkDisk(folder: string): Promise<PreflightFinding> {
  const { bavail, bsize } = await statfs(folder);
  const found = `${(bavail * bsize * 1e-9).toFixed(1)} GB free`;
  return bavail * bsize >= DISK_LEAST_BYTES
    ? makeOk('disk for exports', found)
    : fail('disk for exports', found, 'Free some, or set EXPORT_DIR to another disk');
}

export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<PreflightFinding[]> {
  if (smtpUrl === null) return [makeSkipped('mail', 'SMTP_URL is not set: mails wait in the outbox')];
  const server = new MailServer({ url: smtpUrl, timeoutMs: TIMEOUT_MS });
  const found = await probe('mail', 'Set SMTP_URL, with user and password where the server asks for them', TIMEOUT_MS, async () => {
    await server.verify();
    return [makeOk('mail', 'the server takes our mails')];
  });
  server.close();
  return found;
}
