/**
 * The lineage of what is served: Postgres keeps every commit of the index, and what Elasticsearch shows is compared with it. If one of the
 * two was lost, restored or exchanged, nothing is billed and no walk continues until they agree again (src/docs/recover.md). Pure.
 */

/** What Elasticsearch serves now. */
interface ServedCommit {
  /** lineage that it is marked with; null for an index that no load of this service made */
  lineage: string | null;
  commit: number;
}

/** What is served, and in the same look what sync shows. */
export interface ServedIndex extends ServedCommit {
  /** null if its aliases were removed */
  synced: { commit: number; ofServedSet: boolean } | null;
  /** true while a mark says that the records that are served are being stamped for sync */
  stamping: boolean;
}

/** A commit as comparisons need it. */
export interface KnownCommit {
  commit: number;
  /** newest time of change that it shows, milliseconds since 1970 */
  newestStamp: number;
  /** false until it is known that a reader has seen it */
  served: boolean;
}

export interface Lineage {
  id: string;
  /** ascending */
  commits: readonly KnownCommit[];
}

/** What is wrong with the index, compared with its lineage. */
export type Fault = 'lost' | 'behind' | 'ahead' | 'foreign';

export interface Disagreement {
  fault: Fault;
  /** a sentence that names both sides and the command that repairs it */
  message: string;
}

const REBUILD = 'npm run ingest -- rebuild';
const ADOPT = 'npm run ingest -- adopt';

const headOf = ({ commits }: Lineage): KnownCommit | undefined => commits.findLast(({ served }) => served);

/** A commit's number is the time at which its load began. */
const named = (commit: number) => `the commit of ${new Date(commit).toISOString()}`;

const disagreement = (fault: Fault, message: string): Disagreement => ({ fault, message });

/**
 * Compares what is served with its lineage. A commit is recorded before it is shown, so that a newer one that is recorded is right, even if its
 * loader was killed before it could note that readers see it.
 * @returns null if they agree
 */
export function compareWithLineage(served: ServedCommit | null, lineage: Lineage | null): Disagreement | null {
  if (!lineage) return served ? unknownLineage(served) : null;
  const head = headOf(lineage);
  if (!served) return head ? lost(head) : null;
  if (served.lineage !== lineage.id) return foreign(served, lineage);
  if (lineage.commits.some(({ commit }) => commit === served.commit))
    return !head || served.commit >= head.commit ? null : reportBehind(served, lineage);
  if (head && served.commit < head.commit) return anotherBranch(served, head);
  return reportAhead(served, head);
}

const lineageText = ({ lineage }: ServedCommit) => (lineage === null ? 'no lineage' : `the lineage ${lineage}`);

const unknownLineage = (served: ServedCommit) =>
  disagreement(
    'foreign',
    `Elasticsearch serves an index of ${lineageText(served)}, of which Postgres has no record: is DATABASE_URL right, or was Postgres lost? Restore Postgres, or accept the index with ${ADOPT}`,
  );

const lost = (head: KnownCommit) =>
  disagreement('lost', `Elasticsearch serves nothing, while Postgres has recorded ${named(head.commit)}: mend it with ${REBUILD}`);

const foreign = (served: ServedCommit, { id }: Lineage) =>
  disagreement(
    'foreign',
    `Elasticsearch serves an index of ${lineageText(served)}, Postgres has the lineage ${id}: ` +
      `are ELASTICSEARCH_URL, DATABASE_URL and INDEX_PREFIX right? Put the index back with ${REBUILD}, or accept the one that is there with ${ADOPT}`,
  );

function reportBehind(served: ServedCommit, lineage: Lineage): Disagreement {
  const head = headOf(lineage) as KnownCommit;
  const missing = lineage.commits.filter((known) => known.served && known.commit > served.commit).length;
  return disagreement(
    'behind',
    `Elasticsearch is behind: it serves ${named(served.commit)}, while Postgres has recorded ${missing} later, the last ${named(head.commit)}. Mend it with ${REBUILD}, or accept the older index with ${ADOPT}`,
  );
}

const anotherBranch = (served: ServedCommit, head: KnownCommit) =>
  disagreement(
    'foreign',
    `Elasticsearch serves ${named(served.commit)}, which Postgres has not recorded, while it has recorded ${named(head.commit)}. Put the index back with ${REBUILD}, or accept the one that is there with ${ADOPT}`,
  );

const reportAhead = (served: ServedCommit, head: KnownCommit | undefined) =>
  disagreement(
    'ahead',
    `Elasticsearch is ahead: it serves ${named(served.commit)}, while the last that Postgres has recorded is ${head ? named(head.commit) : 'none'}. Was Postgres restored from an earlier copy? ` +
      `Restore a newer one, accept the index with ${ADOPT}, or go back to what Postgres has recorded with ${REBUILD}`,
  );

/** Compares what sync shows with what is served: the same, or, while a switch back is being stamped, what was served before it. */
export function compareSynced(served: ServedIndex | null, lineage: Lineage | null): Disagreement | null {
  if (!served) return null;
  const { synced, stamping } = served;
  const isRecorded = !lineage || lineage.commits.some(({ commit }) => commit === synced?.commit);
  const isSame = synced?.ofServedSet && synced.commit === served.commit;
  if (stamping ? synced && !synced.ofServedSet && isRecorded : isSame) return null;
  return disagreement(
    'behind',
    `Sync shows ${synced ? named(synced.commit) : 'nothing'} while ${named(served.commit)} is served, and no switch says why: ` +
      'any load, activate or rollback mends this, or says what does',
  );
}

/** What a cursor says of the index that it was made over. */
export interface LineageMark {
  lineage: string;
  commit: number;
}

/** Whether a walk may continue from a cursor with this mark: the commit that it has seen is part of the lineage. */
export function mayContinue(mark: LineageMark | null, lineage: Lineage | null): boolean {
  if (!mark) return !lineage;
  // From the end: most cursors are of a moment ago.
  return mark.lineage === lineage?.id && lineage.commits.findLast(({ commit }) => commit === mark.commit) !== undefined;
}

/**
 * The commit that a page shows by its newest time of change. Several commits can show the same one, if a load changed nothing; the newest
 * counts then.
 */
export function findCommitByStamp(newestStamp: number, { commits }: Lineage): KnownCommit | undefined {
  return commits.findLast((known) => known.newestStamp === newestStamp);
}
