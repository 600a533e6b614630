import type { MotifName } from './moneyMotifs.ts';
import type { WalkMotifName } from './walkPlans.ts';

/** Replacements of source text in a file. */
export interface PlantedChange {
  file: string;
  /** text to be found once: the text in its place */
  replacements: Readonly<Record<string, string>>;
}

/**
 * Defects of money, jobs and sync that the code had or that a line of it prevents, each as a replacement of source text. The proof has to find each
 * defect when it is planted. If the text is no longer in the code, `checkDefects` fails, so that the list stays up to date.
 */
export interface Defect extends PlantedChange {
  name: string;
  /** what goes wrong, in a clause */
  about: string;
  proof: 'money' | 'sync';
  /** the motif by which the defect is found in minutes; only a thirtieth of the usual plans contain it */
  motif?: MotifName | WalkMotifName;
  /** of another file that prevents it, too: without either change the other does no harm */
  second?: PlantedChange;
}

/** Defects of one proof by their names. */
type Described = Record<string, Omit<Defect, 'name' | 'proof'>>;

const SQL = 'src/core/store/postgres/functions/';

const MONEY: Described = {
  'earlier-revision-billed': {
    about: 'a revision that comes back after a newer one is billed again',
    motif: 'recordChangesBack',
    file: `${SQL}deliver_page.sql`,
    replacements: { ' or page.hash = any (d.earlier_hashes)': '' },
  },
  'superseded-revision-billed': {
    about: 'a rollback bills what was served before that which it takes back',
    motif: 'recordChangesBack',
    file: `${SQL}deliver_page.sql`,
    replacements: { ' or page.hash = any (d.superseded_hashes)': '' },
  },
  'pool-not-locked': {
    about: 'two requests read a pool before either has written',
    motif: 'atOnce',
    file: `${SQL}open_pool.sql`,
    replacements: {
      'select * into pool from credit_pool where team_id = p_team for update;\n  if not':
        'select * into pool from credit_pool where team_id = p_team;\n  if not',
    },
  },
  'month-opened-again': {
    about: 'a request that waited over midnight opens the month before again',
    motif: 'overMidnight',
    file: `${SQL}open_pool.sql`,
    replacements: { " or (split_part(pool.granted_for, ' ', 1) = split_part(due, ' ', 1) and pool.granted_for > due)": '' },
  },
  'document-billed-twice': {
    about: 'a document is metered whenever it is read',
    motif: 'atOnce',
    file: `${SQL}deliver_document.sql`,
    replacements: {
      'case when exists (select from document_delivery where team_id = p_team and document_id = p_document) then 0 else p_rate end':
        'p_rate',
    },
  },
  'reserved-beyond-balance': {
    about: 'a job is accepted that the balance does not pay for',
    motif: 'poor',
    file: `${SQL}reserve_credits.sql`,
    replacements: { "case when p_credits <= balance then 'reserved'": "case when p_credits <= balance + 1 then 'reserved'" },
  },
  'rest-outlives-month': {
    about: 'what a job reserved last month and did not use is added to this month',
    motif: 'restOverMidnight',
    file: 'src/core/ledger/reservations.ts',
    replacements: {
      "await tx.query('select lapse_credits($1, $2, $3, $4::jsonb)', [teamId, held?.grantedFor ?? null, reserved - charged, of]);": '',
    },
  },
  'attempt-not-fenced': {
    about: 'an attempt whose job another one has taken still writes',
    motif: 'workerStops',
    file: `${SQL}assert_lease.sql`,
    replacements: { "where id = p_job and attempt = p_attempt and status = 'running'": "where id = p_job and status = 'running'" },
  },
  'settlement-not-locked': {
    about: 'a job is queued again while its attempt settles it',
    motif: 'stopsAmidst',
    file: `${SQL}assert_lease.sql`,
    replacements: { "and status = 'running' for update;": "and status = 'running';" },
  },
  'settled-job-given-up': {
    about: 'the sweep fails a job that was settled since it looked',
    motif: 'failsLate',
    file: 'src/core/jobs/sweep.ts',
    replacements: {
      "`select from job where id = $1 and settled_at is null\n           and (deadline < now() - $2 * interval '1 ms' or (status = 'running' and lease_until < clock_timestamp() and ${NO_ATTEMPTS_LEFT}))\n         for update skip locked`":
        '`select from job where id = $1 and $2::float8 is not null for update`',
    },
  },
  'nothing-given-back': {
    about: 'a job that fails keeps what it reserved',
    motif: 'isGivenUp',
    file: 'src/core/jobs/attempt.ts',
    replacements: { 'giveBack && ((tx) => giveBack(tx, this.#job))': 'undefined' },
  },
  'nothing-given-back-by-sweep': {
    about: 'a job that is given up after its worker died keeps what it reserved',
    motif: 'isGivenUp',
    file: 'src/core/jobs/runner.ts',
    replacements: { 'registry.get(kind)?.giveBack': 'undefined' },
  },
  'holdings-outlive-loss': {
    about: 'processes go on to believe that the records of a lost file are held',
    motif: 'isLost',
    file: `${SQL}undo_export_delivery.sql`,
    replacements: { 'update credit_pool set reversals = reversals + 1 where team_id = p_team;': '' },
  },
  'holdings-not-versioned-by-life': {
    about: 'what a pool held before a loss is added to what it holds after it',
    motif: 'isLost',
    file: 'src/core/ledger/holdings.ts',
    replacements: { 'if (kept.life !== life) return undefined;': '' },
  },
  'price-joins-earlier-look': {
    about: 'a price shares a look at the holdings that began before a delivery',
    motif: 'priced',
    file: 'src/core/ledger/holdings.ts',
    replacements: {
      '      kept.next = undefined;\n      kept.grant = undefined;\n      return this.#catchUp(kept, wanted);':
        '      return this.#catchUp(kept, wanted).finally(() => {\n        kept.next = undefined;\n        kept.grant = undefined;\n      });',
    },
  },
  'loss-refunds-what-others-hold': {
    about: 'the loss of a file takes rows back that another file of the pool holds',
    motif: 'isLost',
    file: `${SQL}undo_export_delivery.sql`,
    replacements: {
      'select id from export where team_id = p_team and id <> p_export and lost_at is null':
        'select id from export where false and id <> p_export and lost_at is null',
    },
  },
  'lease-not-renewed-while-settling': {
    about: 'a settlement that waits for a connection loses its lease, and the job runs twice',
    motif: 'lockIsHeld',
    file: 'src/core/jobs/attempt.ts',
    replacements: { 'if (this.#locked || this.#abort': 'if (this.#settling || this.#abort' },
  },
  'allowance-locked-before-pool': {
    about: 'acceptance locks the allowance before the pool, settlement the other way round',
    motif: 'manyJobs',
    file: 'src/core/ledger/acceptance.ts',
    replacements: {
      "  await reserveCredits(tx, payer, { jobId, subject: 'contacts', credits });\n  const [held]": '  const [held]',
      '  if (!held?.fits) throw new NoAllowance(held?.used ?? 0);':
        "  if (!held?.fits) throw new NoAllowance(held?.used ?? 0);\n  await reserveCredits(tx, payer, { jobId, subject: 'contacts', credits });",
    },
  },
  'second-connection-in-transaction': {
    about: 'a settlement that holds the lock of a pool asks for a second connection',
    motif: 'manyJobs',
    file: 'src/features/contacts/store.ts',
    replacements: { 'await planNow(tx, teamId)': 'await planNow(this.jobs.database, teamId)' },
  },
  'charged-above-bound': {
    about: 'a page that costs more than its bound is charged and refused',
    motif: 'poor',
    file: 'src/core/ledger/ledger.ts',
    replacements: { 'return isSafe || on !== this.#database ?': 'return isSafe || on ?' },
  },
  'log-places-not-locked': {
    about: 'two readers give positions to the events of a log at once',
    motif: 'followed',
    file: 'src/features/webhooks/eventLog.ts',
    replacements: { "await tx.query('select from event_log where team_id = $1 for update', [teamId]);": '' },
  },
  'claim-released-by-another': {
    about: 'a request that failed releases the claim of the one that took it over',
    motif: 'isRepeated',
    file: 'src/core/ledger/idempotencyStore.ts',
    replacements: {
      "'delete from idempotency where team_id = $1 and route = $2 and key = $3 and owner = $4 and outcome is null'":
        "'delete from idempotency where team_id = $1 and route = $2 and key = $3 and $4::uuid is not null'",
    },
  },
  'claim-not-settled': {
    about: 'a page under a key is charged without its outcome',
    motif: 'isRepeated',
    file: `${SQL}deliver_page.sql`,
    replacements: { '  if p_claim is not null then\n': '  if p_claim is not null and cost = 0 then\n' },
  },
  'look-ups-not-given-back': {
    about: 'look-ups that were made go back into the allowance',
    motif: 'manyJobs',
    file: `${SQL}settle_attempts.sql`,
    replacements: { 'greatest(held.attempts - p_made, 0)': 'held.attempts' },
  },
  'contacts-settled-without-pool': {
    about: 'two settlements of a team both unlock a contact for a credit',
    motif: 'manyJobs',
    file: 'src/features/contacts/store.ts',
    replacements: {
      "    await tx.query('select open_pool($1, $2, $3)', [teamId, grant.grantedFor, grant.credits]);\n    const news": '    const news',
    },
  },
  'lost-connection-ends-process': {
    about: 'a connection that Postgres ends between two statements ends the process',
    motif: 'stopsAmidst',
    file: 'src/core/store/postgres/pool.ts',
    replacements: { "    client.on('error', lost);\n": '' },
  },
  'refused-page-recorded': {
    about: 'a page that was refused is held all the same',
    motif: 'poor',
    file: `${SQL}deliver_page.sql`,
    replacements: {
      "  if outcome <> 'delivered' then\n    return next;\n    return;\n  end if;":
        "  if outcome = 'exhausted' then\n    return next;\n    return;\n  end if;",
    },
  },
};

const SYNC: Described = {
  'page-read-before-removals': {
    about: 'a page is read before the removals that it is reported with, so that what came back between the two is dropped',
    motif: 'flickers',
    file: 'src/core/store/elastic/changeFeed.ts',
    replacements: {
      '[change, removal, removals, departures, page]: Answers': '[page, change, removal, removals, departures]: Answers',
      "              ...on(projects, makeNewestSearch('lastUpdated', isoOf(from))),\n":
        "              ...on(projects, pageBody(request, this.#timeoutMs, rendered)),\n              ...on(projects, makeNewestSearch('lastUpdated', isoOf(from))),\n",
      '              ...on(projects, makeDeparturesSearch(position.departed, request)),\n              ...on(projects, pageBody(request, this.#timeoutMs, rendered)),\n':
        '              ...on(projects, makeDeparturesSearch(position.departed, request)),\n',
      '!others[0]?.hits': '!others[1]?.hits',
    },
  },
  'commit-shown-before-recorded': {
    about: 'a commit is shown before Postgres has recorded it, and the loader dies between the two',
    motif: 'isCutOff',
    file: 'ingest/publish/publish.ts',
    replacements: {
      '  await lineages.beginPublishing(id, publication, record);\n': '',
      '  await lineages.notePublished(id, publication);\n':
        '  await lineages.beginPublishing(id, publication, record);\n  await lineages.notePublished(id, publication);\n',
    },
  },
  'stamps-below-what-was-shown': {
    about: 'records of a load are stamped by the clock alone, below what walks have passed',
    file: 'ingest/write/stamps.ts',
    replacements: { 'Math.max(now.getTime(), (highWater ?? 0) + 1)': 'now.getTime()' },
  },
  'rollback-shown-to-sync-unstamped': {
    about: 'sync shows a rollback at once, whose records are stamped below what walks have passed',
    motif: 'switchesBack',
    file: 'ingest/publish/publication.ts',
    replacements: { 'synced: synced?.load === set.load ? next : synced }': 'synced: next }' },
  },
  'repair-forgets-stamping': {
    about: 'after a loader was killed while it stamped, sync is shown what is served without stamps',
    motif: 'switchesBack',
    file: 'ingest/publish/publication.ts',
    replacements: {
      '  if (!served || [published, publishing].some((known) => isDeepStrictEqual(known, shown))) return shown;':
        '  if (!served || (published && publishing && false)) return shown;',
      '  return isMarked && isStamping(shown) ? shown : { ...shown, synced: shown.served };':
        '  return isMarked && shown.previous === null ? shown : { ...shown, synced: shown.served };',
    },
  },
  'page-without-one-more': {
    about: 'a page does not look whether more follows, and the walk says that it has ended',
    file: 'src/features/sync/page.ts',
    replacements: { 'size: limit + 1,': 'size: limit,' },
  },
  'removals-known-after-first-page': {
    about: 'a walk begins with the removals after its first page, and misses one that came meanwhile',
    motif: 'flickers',
    file: 'src/features/sync/walk.ts',
    replacements: {
      '  if (!start.rollover || showsEveryDay || page.hits.length || page.departures.length) return { start, page };':
        '  if (!walk.at) start.removed = await services.changes.lastRemoval(signal);\n  if (!start.rollover || showsEveryDay || page.hits.length || page.departures.length) return { start, page };',
    },
  },
  'removals-position-lost': {
    about: 'a page without removals forgets up to where they were read',
    motif: 'flickers',
    file: 'src/features/sync/page.ts',
    replacements: { 'removed: lastRemoval ?? start.removed,': 'removed: lastRemoval ?? [seen, Number.MAX_SAFE_INTEGER],' },
    // As long as removals are read after the newest change, all of them up to it have been read.
    second: {
      file: 'src/core/store/elastic/changeFeed.ts',
      replacements: {
        '[change, removal, removals, departures, page]: Answers': '[removals, change, removal, departures, page]: Answers',
        "              ...on(projects, makeNewestSearch('lastUpdated', isoOf(from))),\n":
          "              ...on(removals, makeRemovalsSearch(position.removed, request.removedQuery)),\n              ...on(projects, makeNewestSearch('lastUpdated', isoOf(from))),\n",
        "              ...on(removals, makeNewestSearch('at')),\n              ...on(removals, makeRemovalsSearch(position.removed, request.removedQuery)),\n":
          "              ...on(removals, makeNewestSearch('at')),\n",
        '!others[0]?.hits': '!others[1]?.hits',
      },
    },
  },
  'walk-goes-on-over-another-set': {
    about: 'sync reads what is served while a rollback is being stamped',
    motif: 'switchesBack',
    file: 'src/core/store/elastic/indices.ts',
    replacements: { 'return this.syncedAlias(kind);': 'return super.readAlias(kind);' },
  },
};

const defectsOf = (proof: Defect['proof'], described: Described): Defect[] =>
  Object.entries(described).map(([name, defect]) => ({ name, proof, ...defect }));

export const DEFECTS: readonly Defect[] = [...defectsOf('money', MONEY), ...defectsOf('sync', SYNC)];
