/** Alerts of a team, visible to their members (src/docs/alerts.md). */

import { ApiError } from '../../core/domain/errors.ts';
import { newId } from '../../core/domain/ids.ts';
import { lockKey } from '../../core/identity/lockKey.ts';
import { type HandoverServices, handOverWithMail } from '../../core/identity/teamChanges.ts';
import type { IdempotencyStore } from '../../core/ledger/idempotencyStore.ts';
import type { Claim } from '../../core/ledger/ledger.ts';
import type { NewMail } from '../../core/mail/mail.ts';
import type { OutboxStore } from '../../core/mail/outbox.ts';
import type { KeepForRepeat } from '../../core/search/idempotentRequests.ts';
import { isMemberSql } from '../../core/store/postgres/membership.ts';
import type { Database, Queryable } from '../../core/store/postgres/pool.ts';
import { isRestorableSql } from '../../core/store/postgres/softDeletion.ts';
import {
  type CollectionPart,
  insertCompanionList,
  type Maker,
  restoreCompanionList,
  shareCompanionList,
  type Viewer,
} from '../lists/index.ts';
import { archiveAlerts, recordPaused } from './archive.ts';
import { findNextRun, mergeCadence } from './cadence.ts';
import { askToConfirm, type Question } from './confirmations.ts';
import type { AlertRecipient, AlertStatus, StoredAlert } from './types.ts';

export const ACTIVE_ALERTS_MAX = 25;

/** The settings of an alert that a request determines. */
export type AlertSettings = Pick<
  StoredAlert,
  | 'name'
  | 'status'
  | 'filters'
  | 'specificRequirement'
  | 'cadence'
  | 'nextRunAt'
  | 'share'
  | 'notify'
  | 'maxRecordsPerRun'
  | 'maxCredits'
  | 'includeNewlyRead'
  | 'problems'
  | 'position'
>;

interface Row extends Omit<StoredAlert, 'share'> {
  mode: StoredAlert['share']['mode'];
  userIds: number[];
  optOutUserIds: number[];
}

const COLUMNS = `a.id, a.team_id as "teamId", a.name, a.status, a.filters, a.specific_requirement as "specificRequirement", a.cadence,
  a.next_run_at as "nextRunAt", a.last_run_at as "lastRunAt", a.share_mode as mode, a.share_user_ids as "userIds",
  a.opt_out_user_ids as "optOutUserIds", a.notify, a.max_records_per_run as "maxRecordsPerRun", a.max_credits as "maxCredits",
  a.include_newly_read as "includeNewlyRead",
  a.list_id as "listId", a.problems, a.position, a.created_by as "createdBy", a.created_at as "createdAt", a.updated_at as "updatedAt",
  a.archived_at as "archivedAt"`;

/** SQL: alerts of team $1 of which user $2 is a member. */
const VISIBLE = `a.team_id = $1 and ${isMemberSql('$2', 'a')}`;

const toAlert = ({ mode, userIds, optOutUserIds, ...row }: Row): StoredAlert => ({
  ...row,
  cadence: mergeCadence(row.cadence), // Postgres orders keys in a way of its own; clients get them in this one
  share: { mode, userIds, optOutUserIds },
});

/** Mails that belong to a change, by kind of recipient. */
export interface AlertMails {
  mails(alert: StoredAlert): readonly NewMail[];
  /** addresses outside the team, each with the mail that asks it to confirm; sent once */
  confirmations(alert: StoredAlert): readonly Question[];
}

export class AlertStore {
  readonly #database: Database;
  readonly #idempotency: IdempotencyStore;
  readonly #outbox: OutboxStore;
  readonly #handover: HandoverServices;

  constructor(database: Database, idempotency: IdempotencyStore, services: HandoverServices & { outbox: OutboxStore }) {
    this.#database = database;
    this.#idempotency = idempotency;
    this.#outbox = services.outbox;
    this.#handover = services;
  }

  /**
   * Creates an alert with its companion list and mails, and settles the idempotency key, in one transaction.
   * @throws ApiError `alert_limit_reached`, `service_unavailable`
   */
  async create({ teamId, userId, keyId }: Maker, settings: AlertSettings, mails: AlertMails, claim: Claim | undefined): Promise<string> {
    const id = newId('alr');
    await this.#database.transaction(async (tx) => {
      await lockTeamAlerts(tx, teamId);
      await lockKey(tx, keyId);
      if (settings.status === 'active') await refuseBeyondAlertLimit(tx, teamId, null);
      const listId = await insertCompanionList(tx, { teamId, userId }, { alertId: id, name: settings.name, share: settings.share });
      await tx.query(
        `insert into alert (id, team_id, created_by, list_id, created_at, updated_at, ${WRITTEN}) values ($1, $2, $3, $4, service_now(),
           service_now(), $5, $6, $7::jsonb, $8, $9::jsonb, $10, $11, $12, $13, $14::jsonb, $15, $16, $17::jsonb, $18::jsonb, $19)`,
        [id, teamId, userId, listId, ...listValues(settings)],
      );
      await recordRecipients(tx, id, keyId, [], settings.notify.emailTo);
      await this.#writeMails(tx, id, mails);
      await this.#idempotency.keep(tx, teamId, claim, { alertId: id });
    });
    return id;
  }

  /**
   * Changes an alert under its lock.
   * @param change computes the new settings from the stored ones
   * @returns undefined when there is no such alert that the user may see, or it is archived
   * @throws ApiError `alert_limit_reached`, `service_unavailable`, errors of `change`
   */
  async change(
    viewer: Maker,
    id: string,
    change: (alert: StoredAlert) => { settings: AlertSettings; mails: AlertMails; resume: string | null },
  ): Promise<StoredAlert | undefined> {
    return this.#database.transaction(async (tx) => {
      await lockTeamAlerts(tx, viewer.teamId);
      await lockKey(tx, viewer.keyId);
      const before = await findAlert(tx, viewer, id, true);
      if (!before || before.status === 'archived') return undefined;
      const { settings, mails, resume } = change(before);
      if (settings.status === 'active' && before.status !== 'active') await refuseBeyondAlertLimit(tx, viewer.teamId, id);
      await tx.query(
        `update alert set updated_at = service_now(), (${WRITTEN}) =
           ($2, $3, $4::jsonb, $5, $6::jsonb, $7, $8, $9, $10, $11::jsonb, $12, $13, $14::jsonb, $15::jsonb, $16) where id = $1`,
        [id, ...listValues(settings)],
      );
      // Records refused under the old requirement may satisfy the new one.
      if (settings.specificRequirement !== before.specificRequirement)
        await tx.query('delete from alert_refused where alert_id = $1', [id]);
      await recordRecipients(tx, id, viewer.keyId, before.notify.emailTo, settings.notify.emailTo);
      await shareCompanionList(tx, id, settings);
      // This change may have removed the last member with an open account.
      await handOverWithMail(tx, this.#handover, viewer.teamId);
      if (resume !== null) await this.#outbox.resumeAlerts(tx, resume, [id]);
      await this.#writeMails(tx, id, mails);
      if (before.status === 'active' && settings.status === 'paused') await recordPaused(tx, before);
      return readAlert(tx, id);
    });
  }

  /**
   * Archives an alert: it no longer runs and its list is deleted, but its deliveries stay readable.
   * @returns false when there is no such alert that the user may see
   */
  async archive({ teamId, userId }: Viewer, id: string): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const found = await tx.query(`select from alert a where ${VISIBLE} and a.id = $3 for no key update`, [teamId, userId, id]);
      if (found.length) await archiveAlerts(tx, [id]);
      return found.length > 0;
    });
  }

  /**
   * Restores an archived alert with its list, active or paused as it was; of one that is not archived nothing changes.
   * @returns undefined when there is no such alert that the user may see, or it can no longer be restored
   * @throws ApiError `alert_limit_reached`, `service_unavailable`
   */
  async restore(viewer: Viewer, id: string, keep: KeepForRepeat<null>): Promise<StoredAlert | undefined> {
    return this.#database.transaction(async (tx) => {
      await lockTeamAlerts(tx, viewer.teamId);
      const alert = await findAlert(tx, viewer, id, true);
      if (alert) await keep(tx, null);
      if (alert?.status !== 'archived') return alert;
      const [was] = await tx.query<{ status: AlertStatus; now: Date }>(
        `select archived_from as status, service_now() as now from alert where id = $1 and ${isRestorableSql('archived_at')}`,
        [id],
      );
      if (!was) return undefined;
      if (was.status === 'active') await refuseBeyondAlertLimit(tx, viewer.teamId, id);
      // Times that passed meanwhile are not made up for: the next run finds what they would have delivered.
      const nextRunAt = was.status === 'active' ? findNextRun(alert.cadence, was.now) : null;
      await tx.query(
        `update alert set status = $2, next_run_at = $3, archived_at = null, archived_from = null, updated_at = service_now() where id = $1`,
        [id, was.status, nextRunAt],
      );
      await restoreCompanionList(tx, id, alert);
      return readAlert(tx, id);
    });
  }

  /** Undefined when there is no such alert that the user may see. @throws ApiError `service_unavailable` */
  find(viewer: Viewer, id: string): Promise<StoredAlert | undefined> {
    return findAlert(this.#database, viewer, id, false);
  }

  /** The alert with an id, without checking who may see it, in a transaction. */
  findById(tx: Queryable, id: string): Promise<StoredAlert | undefined> {
    return readAlert(tx, id);
  }

  /** The alerts, newest first; deleted ones by their deletion. `active` counts those of the whole team. */
  async list(
    { teamId, userId }: Viewer,
    { limit, offset, deleted }: CollectionPart,
  ): Promise<{ alerts: StoredAlert[]; total: number; active: number }> {
    const [wanted, newest] = deleted
      ? [`${VISIBLE} and a.status = 'archived' and ${isRestorableSql('a.archived_at')}`, 'a.archived_at']
      : [`${VISIBLE} and a.status <> 'archived'`, 'a.created_at'];
    const [rows, [counted]] = await Promise.all([
      this.#database.query<Row>(`select ${COLUMNS} from alert a where ${wanted} order by ${newest} desc, a.id desc limit $3 offset $4`, [
        teamId,
        userId,
        limit,
        offset,
      ]),
      this.#database.query<{ total: number; active: number }>(
        `select count(*) filter (where ${wanted})::integer as total, count(*) filter (where a.status = 'active')::integer as active
           from alert a where a.team_id = $1`,
        [teamId, userId],
      ),
    ]);
    return { alerts: rows.map(toAlert), total: counted?.total ?? 0, active: counted?.active ?? 0 };
  }

  /** Addresses in `emailTo` of the team's alerts that have confirmed. */
  async listConfirmedAddresses(tx: Queryable, teamId: number): Promise<Set<string>> {
    const sql = 'select address from mail_confirmation where team_id = $1 and confirmed_at is not null';
    return new Set((await tx.query<{ address: string }>(sql, [teamId])).map(({ address }) => address));
  }

  /** The states of an alert's recipients. @param members lower-case addresses that need not confirm */
  async listRecipients(alert: StoredAlert, addresses: readonly string[], members: ReadonlySet<string>): Promise<AlertRecipient[]> {
    const sql = `select given.address, s.unsubscribed_at as "stoppedAt", c.confirmed_at as "confirmedAt", c.created_at as "askedAt", r.added_at as "addedAt"
      from unnest($3::text[]) with ordinality as given (address, n)
        left join mail_subscription s on s.recipient = given.address and s.topic = 'alert:' || $1
        left join mail_confirmation c on c.address = given.address and c.team_id = $2
        left join alert_recipient r on r.address = given.address and r.alert_id = $1
      order by n`;
    const rows = await this.#database.query<StandingRow>(sql, [alert.id, alert.teamId, addresses]);
    return rows.map((row) => toRecipient(alert, row, members.has(row.address)));
  }

  async confirmationExists(token: string): Promise<boolean> {
    return (await this.#database.query('select from mail_confirmation where token = $1', [token])).length > 0;
  }

  async confirm(token: string): Promise<boolean> {
    const sql = 'update mail_confirmation set confirmed_at = coalesce(confirmed_at, now()) where token = $1 returning 1';
    return (await this.#database.query(sql, [token])).length > 0;
  }

  async #writeMails(tx: Queryable, id: string, mails: AlertMails): Promise<void> {
    const alert = await readAlert(tx, id);
    if (!alert) throw new Error(`The alert ${id} is not there`);
    for (const mail of mails.mails(alert)) await this.#outbox.put(tx, mail);
    await askToConfirm(tx, this.#outbox, alert.teamId, mails.confirmations(alert));
  }
}

interface StandingRow {
  address: string;
  stoppedAt: Date | null;
  confirmedAt: Date | null;
  askedAt: Date | null;
  addedAt: Date | null;
}

function toRecipient(
  { createdAt }: StoredAlert,
  { address, stoppedAt, confirmedAt, askedAt, addedAt }: StandingRow,
  member: boolean,
): AlertRecipient {
  if (stoppedAt) return { address, state: 'stopped', since: stoppedAt };
  if (!member && !confirmedAt) return { address, state: 'unconfirmed', since: askedAt ?? addedAt ?? createdAt };
  const added = addedAt ?? createdAt;
  return { address, state: 'active', since: !member && confirmedAt && confirmedAt > added ? confirmedAt : added };
}

const WRITTEN = `name, status, filters, specific_requirement, cadence, next_run_at, share_mode, share_user_ids, opt_out_user_ids, notify,
  max_records_per_run, max_credits, problems, position, include_newly_read`;

function listValues(settings: AlertSettings): unknown[] {
  const { name, status, filters, specificRequirement, cadence, nextRunAt, share, notify, problems, position } = settings;
  return [
    name,
    status,
    JSON.stringify(filters),
    specificRequirement,
    JSON.stringify(cadence),
    nextRunAt,
    share.mode,
    share.userIds,
    share.optOutUserIds,
    JSON.stringify(notify),
    settings.maxRecordsPerRun,
    settings.maxCredits,
    problems && JSON.stringify(problems),
    JSON.stringify(position),
    settings.includeNewlyRead,
  ];
}

/** Serialises changes within a team, so that the count of active alerts is correct. */
const lockTeamAlerts = (tx: Queryable, teamId: number) => tx.query('select from team where id = $1 for no key update', [teamId]);

async function refuseBeyondAlertLimit(tx: Queryable, teamId: number, except: string | null): Promise<void> {
  const sql = `select count(*)::integer as active from alert where team_id = $1 and status = 'active' and id is distinct from $2`;
  const [counted] = await tx.query<{ active: number }>(sql, [teamId, except]);
  if ((counted?.active ?? 0) < ACTIVE_ALERTS_MAX) return;
  throw new ApiError(
    'alert_limit_reached',
    `The team has ${ACTIVE_ALERTS_MAX} active alerts, the most there can be; pause or delete one first`,
    {
      details: { maxActiveAlerts: ACTIVE_ALERTS_MAX },
    },
  );
}

/** Records with which key each address of an alert was added. */
async function recordRecipients(
  tx: Queryable,
  id: string,
  keyId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  await tx.query('delete from alert_recipient where alert_id = $1 and not address = any ($2)', [id, after]);
  await tx.query(
    `insert into alert_recipient (alert_id, address, added_with, added_at) select $1, unnest($2::text[]), $3, service_now()
     on conflict (alert_id, address) do update set added_with = excluded.added_with, added_at = excluded.added_at`,
    [id, after.filter((address) => !before.includes(address)), keyId],
  );
}

async function findAlert(on: Queryable, { teamId, userId }: Viewer, id: string, lock: boolean): Promise<StoredAlert | undefined> {
  const sql = `select ${COLUMNS} from alert a where ${VISIBLE} and a.id = $3${lock ? ' for update' : ''}`;
  const [row] = await on.query<Row>(sql, [teamId, userId, id]);
  return row && toAlert(row);
}

/** The alert with an id, without checking who may see it. @param lock whether to lock it until the transaction ends */
export async function readAlert(on: Queryable, id: string, lock = false): Promise<StoredAlert | undefined> {
  const [row] = await on.query<Row>(`select ${COLUMNS} from alert a where a.id = $1${lock ? ' for update' : ''}`, [id]);
  return row && toAlert(row);
}

/** Pauses an alert that cannot run, and stores the reason. */
export async function pauseAlert(
  tx: Queryable,
  { id, teamId, status: before }: Pick<StoredAlert, 'id' | 'teamId' | 'status'>,
  problems: NonNullable<StoredAlert['problems']>,
): Promise<void> {
  const status: AlertStatus = 'paused';
  await tx.query('update alert set status = $2, next_run_at = null, problems = $3::jsonb, updated_at = service_now() where id = $1', [
    id,
    status,
    JSON.stringify(problems),
  ]);
  if (before === 'active') await recordPaused(tx, { id, teamId });
}
