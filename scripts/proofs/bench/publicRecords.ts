/** An API over records of the public data sets. */
import type { ApiClient } from '../../lib/apiClient.ts';
import { ApiProcess } from '../../lib/programs.ts';
import { withTimedStep } from '../../lib/progress.ts';
import { type PublicLine, writePicked } from '../../lib/publicData.ts';
import { Sandbox } from '../../lib/sandbox.ts';
import { loadWithLoader } from './corpus.ts';
import { type Bench, newClient } from './suite.ts';

/** Texts, which take most of the time of a load, and are neither matched nor counted. */
const WITHOUT_TEXTS = { rawText: null, originalRawText: null, evidence: undefined, meetingDocumentId: null };

/**
 * Loads the picked records of some sets, or of all, without their texts into a sandbox of their own.
 * @param pick the line to load of a project's line, if any @param work asks as a team on the National plan
 */
export async function withPublicRecords<T>(
  { servers, signal }: Pick<Bench, 'servers' | 'signal'>,
  purpose: string,
  sets: readonly string[] | undefined,
  pick: (project: PublicLine) => object | undefined,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  await using sandbox = await Sandbox.make(servers, purpose);
  const pickShort = (project: PublicLine) => {
    const picked = pick(project);
    return picked && { ...picked, ...WITHOUT_TEXTS };
  };
  const env = sandbox.environment();
  const file = await withTimedStep('Wrote the public data sets', () => writePicked(sandbox.folder, sets, pickShort));
  await withTimedStep('Loaded them', () => loadWithLoader(env, file, signal));
  await using api = await ApiProcess.start(env, signal);
  return await work(await newClient({ sandbox, api }));
}
