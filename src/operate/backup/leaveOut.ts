/** Parts that a restore can leave out, so that a damaged part does not prevent the restore of the others. Pure. */
import { UserError } from '../../terminal/program.ts';
import type { KeptFile, Manifest, Part } from './manifest.ts';

export interface LeftOut {
  /** a table or file */
  part: string;
  /** what is lost without it */
  loses: string;
}

interface Loss {
  loses: string;
  /** tables that reference it, and are left out with it */
  with?: readonly string[];
}

/** What is lost without each table. A table that is not listed is needed to serve what customers have paid for. */
export const LOSSES: Readonly<Record<string, Loss>> = {
  ai_feedback: { loses: 'which answers of AI searches teams called right or wrong: their next searches do not rank by it' },
  ai_search_match: { loses: 'the confirmed records of AI searches, which their teams have paid for' },
  ai_screened: { loses: 'how many records teams screened by AI search on the day of the backup: their day begins again' },
  alert: {
    loses: 'every alert of every team',
    with: ['alert_delivery', 'alert_due', 'alert_feed', 'alert_match', 'alert_recipient', 'alert_refused', 'event'],
  },
  alert_delivered: { loses: 'which records each delivery of an alert held' },
  alert_delivery: { loses: 'the deliveries of alerts', with: ['alert_delivered', 'alert_match'] },
  alert_due: { loses: 'which scheduled runs of alerts were due: one that had fallen due may run again' },
  alert_feed: { loses: 'the feeds of alerts: their addresses stop answering' },
  alert_match: { loses: 'what alerts have delivered: the next run of each delivers all that matches again' },
  alert_recipient: {
    loses: 'with which key each address outside a team was added: a leaked key is judged by what changed since it was made',
  },
  alert_refused: { loses: 'which records do not satisfy the requirement of their alert: they are judged again' },
  audit_run: { loses: 'when the books were audited' },
  contact_finding: { loses: 'what look-ups that were under way had found: they ask again' },
  event: { loses: 'the events of webhooks', with: ['webhook_message'] },
  event_log: { loses: 'how far events were read: cursors of GET /v1/events are refused or begin behind what there is' },
  export_delivery: { loses: 'what exports changed in the holdings of their teams: a lost file is no longer refunded' },
  export_person: { loses: 'who stands in the files of exports: suppressing somebody no longer removes the files that hold them' },
  idempotency: { loses: 'the answers to repeated requests: one that is repeated under its Idempotency-Key runs again' },
  index_commit: {
    loses: 'the record of the index: npm run ingest -- adopt begins another, and every copy kept by sync starts again',
    with: ['index_lineage'],
  },
  index_lineage: { loses: 'the record of the index, likewise', with: ['index_commit'] },
  list_project: { loses: 'the records of lists; the lists stay, empty' },
  mail: { loses: 'mails that were not sent yet' },
  mail_confirmation: { loses: 'which addresses outside a team confirmed: they are asked again' },
  mail_subscription: { loses: 'who has stopped mails: they get them again', with: ['mail'] },
  model_answer: { loses: 'answers of the language model that would be used again' },
  model_calls: { loses: 'how often the language model was called' },
  project_list: { loses: 'every list of every team, and every alert', with: ['alert', 'list_project'] },
  search_preferences: { loses: 'the preferences of users' },
  suppression: {
    loses: 'who asked not to be found: they are shown and sold again. Add them before the service starts: npm run admin -- suppress import',
  },
  webhook: { loses: 'the webhooks of every team', with: ['webhook_message', 'webhook_secret'] },
  webhook_attempt: { loses: 'how messages to webhooks were taken' },
  webhook_message: { loses: 'messages to webhooks, sent or not', with: ['webhook_attempt'] },
  webhook_secret: { loses: 'the secrets of webhooks: their messages cannot be signed until each is made again' },
};

/** A table, and all tables that have to be left out with it. */
export function findDependentTables(table: string, found = new Set<string>()): Set<string> {
  if (found.has(table)) return found;
  found.add(table);
  for (const other of LOSSES[table]?.with ?? []) findDependentTables(other, found);
  return found;
}

const describeLossOfFile = ({ kind }: KeptFile): string =>
  kind === 'export'
    ? 'the file of an export: its customer is refunded at the download'
    : 'a file of a load: the index cannot be built again where it is served from it, and no generation that it holds can be rolled back to';

/** The name by which a part is left out. */
export const namePart = ({ tables }: Manifest, { file }: Part): string => tables.find(({ part }) => part.file === file)?.name ?? file;

export const canBeLeftOut = ({ tables }: Manifest, name: string): boolean => !tables.some((table) => table.name === name) || name in LOSSES;

/**
 * Leaves parts out of a manifest.
 * @param without tables, and files by their own names or those of their parts
 * @throws UserError for a part that does not exist, or that is required
 */
export function leaveOut(manifest: Manifest, without: readonly string[]): { kept: Manifest; leftOut: LeftOut[] } {
  const tables = new Set<string>();
  const files = new Set<KeptFile>();
  for (const name of without) {
    const table = manifest.tables.find((each) => each.name === name || each.part.file === name);
    const ofName = manifest.files.filter((file) => file.name === name || file.part.file === name);
    if (!table && !ofName.length)
      throw new UserError(
        `The backup ${manifest.name} has no part ${name}: --without takes a table or a file, as restore --check names it`,
      );
    if (table && !canBeLeftOut(manifest, table.name))
      throw new UserError(`${table.name} cannot be left out: nothing works without it. Nothing was changed`);
    if (table) for (const one of findDependentTables(table.name)) tables.add(one);
    for (const file of ofName) files.add(file);
  }
  return {
    kept: {
      ...manifest,
      tables: manifest.tables.filter(({ name }) => !tables.has(name)),
      files: manifest.files.filter((file) => !files.has(file)),
    },
    leftOut: [
      ...manifest.tables.flatMap(({ name }) => (tables.has(name) ? { part: name, loses: LOSSES[name]?.loses ?? '' } : [])),
      ...[...files].map((file) => ({ part: file.name, loses: describeLossOfFile(file) })),
    ],
  };
}
