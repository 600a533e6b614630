-- Up Migration

-- Every table of version 1.0, by subject. Functions are in ../functions, and are replaced when they change; the two that tables need are made
-- here, too. To undo this migration, drop the schema.

create function service_now() returns timestamptz language sql stable as $$ select statement_timestamp() $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;

-- ------------------------------------------------------------------------------------------------------------------------ teams and keys

-- A team holds the credit pool, the plan and the licence. Lapsed: the plan ended, keys stay valid. Disabled: an operator switched it off.
create table team (
  id integer generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  plan text not null check (plan in ('county', 'state', 'multi_state', 'national', 'api_only', 'trial')),
  status text not null default 'active' check (status in ('active', 'lapsed', 'disabled')),
  -- the team's own monthly figure; null takes the plan's
  monthly_credits integer check (monthly_credits >= 0),
  created_at timestamptz not null default now(),
  -- when an operator closed the team for good: its keys, users and everything that ran for it have stopped; its ledger stays
  closed_at timestamptz
);

create table app_user (
  id integer generated always as identity primary key,
  team_id integer not null references team (id),
  name text not null check (length(name) between 1 and 200),
  email text check (length(email) <= 320),
  role text not null default 'member' check (role in ('owner', 'member')),
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (team_id, id)
);
create unique index app_user_email on app_user (lower(email)) where email is not null and closed_at is null;

-- What a State, Multi-State, County or trial team may see: a row is one whole state or one county (FIPS numbers).
create table licence (
  team_id integer not null references team (id) on delete cascade,
  state_id integer,
  county_id integer,
  check (num_nonnulls(state_id, county_id) = 1),
  unique nulls not distinct (team_id, state_id, county_id)
);

-- A key is kept only as a keyed hash; prefix and last four characters are for people to tell keys apart.
create table api_key (
  id uuid primary key default gen_random_uuid(),
  team_id integer not null references team (id),
  -- the actor to whom the key is attributed: its creator until a team owner reassigns it
  user_id integer not null,
  digest bytea not null unique check (length(digest) = 32),
  prefix text not null,
  last_four text not null,
  name text check (length(name) <= 200),
  environment text not null default 'live' check (environment in ('live', 'test')),
  created_at timestamptz not null default now(),
  last_reassigned_at timestamptz,
  revoked_at timestamptz,
  -- the end of a rotated key's grace window
  expires_at timestamptz,
  replaced_by uuid references api_key (id),
  -- the first of the keys that replaced one another; null for a key that replaced none. They share one rate limit.
  first_key_id uuid references api_key (id),
  -- when an operator learned that somebody else has the key; such a key is revoked
  leaked_at timestamptz,
  -- the key whose request minted it, or rotated another key to it, so that a leaked key takes with it what it made; null: an operator did
  minted_by uuid references api_key (id),
  foreign key (team_id, user_id) references app_user (team_id, id),
  check ((expires_at is null) = (replaced_by is null))
);
create index api_key_team on api_key (team_id);
create index api_key_user on api_key (user_id);

-- What a user searches for by habit: the filters' own names and values.
create table search_preferences (
  user_id integer primary key references app_user (id),
  preferences jsonb not null,
  updated_at timestamptz not null
);

-- People who asked not to be found, as keyed hashes of what is known of them: nobody can be read out of this table.
create table suppression (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('email', 'phone', 'person')),
  -- first 64 bits of the HMAC of kind and canonical text, under the secret of the service
  hash bigint not null unique,
  -- hash of a constant under the same secret: another secret would know nobody of this table
  key_check bigint not null,
  note text check (length(note) <= 500),
  added_at timestamptz not null default now()
);

-- ------------------------------------------------------------------------------------------------------------------------------- jobs

-- A row holds everything about a job; a notification only wakes workers. A job is settled when settled_at is set; its last status is named by
-- its kind, or is `failed`. Times are this server's.
create table job (
  id text primary key,
  kind text not null,
  -- null for work that no team asked for
  team_id integer references team (id),
  user_id integer references app_user (id),
  -- request, route, key and idempotency key that it came from; copied to the ledger
  cause jsonb not null default '{}',
  status text not null default 'queued',
  -- grows with every start: the fencing token of everything that an attempt writes
  attempt integer not null default 0,
  -- attempts that a stopping worker gave back unharmed; they do not count
  handed_back integer not null default 0,
  max_attempts integer not null check (max_attempts > 0),
  -- process of the last attempt
  worker text,
  -- earliest start of the next attempt
  run_after timestamptz not null default now(),
  lease_until timestamptz,
  deadline_ms bigint not null check (deadline_ms > 0),
  -- set by the first attempt
  deadline timestamptz,
  payload jsonb not null,
  progress jsonb not null default '{}',
  result jsonb,
  -- {code, message}, for the customer
  error jsonb,
  -- what went wrong last, for the operator
  last_failure text,
  retriable boolean not null,
  kept interval not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  settled_at timestamptz,
  delete_after timestamptz,
  check ((status in ('queued', 'running')) = (settled_at is null)),
  check ((status = 'running') = (lease_until is not null)),
  check ((settled_at is null) = (delete_after is null))
);
create index job_team on job (team_id, kind, created_at desc, id desc);
create index job_queued on job (run_after) where status = 'queued';
create index job_running on job (lease_until) where status = 'running';
create index job_deadline on job (deadline) where settled_at is null;
create index job_failed on job (settled_at) where status = 'failed';
create index job_outlived on job (delete_after) where delete_after is not null;
-- Teams take turns: what each has waiting of a kind, and when one of its jobs was begun last. Work of no team counts as that of team 0.
create index job_waiting on job (kind, (coalesce(team_id, 0)), run_after, id) where status = 'queued';
create index job_begun on job (kind, (coalesce(team_id, 0)), started_at desc) where started_at is not null;

-- ----------------------------------------------------------------------------------------------------------------------------- ledger

-- One pool of credits a team. `balance` is the sum of the pool's entries and never below zero; `granted_for` names the plan and the month
-- (or the lifetime) that its newest grant is for, so that a reset happens once, also after months of sleep.
create table credit_pool (
  team_id integer primary key references team (id),
  balance integer not null default 0 check (balance >= 0),
  granted_for text not null default '',
  -- grows whenever deliveries are taken back, so that nobody continues with what they remember of a pool
  reversals integer not null default 0
);

-- Append-only: every change of a balance with its cause. A write that breaks a check ends its transaction, and nothing is charged.
create table ledger_entry (
  id bigint generated always as identity primary key,
  team_id integer not null references team (id),
  at timestamptz not null,
  kind text not null check (kind in ('grant', 'charge', 'reservation', 'refund', 'adjustment')),
  subject text not null check (subject in ('plan', 'records', 'documents', 'contacts')),
  -- signed credits, and the balance after them
  amount integer not null,
  balance integer not null check (balance >= 0),
  -- records, documents or projects that the credits are for
  items integer not null default 0 check (items >= 0),
  request_id text,
  route text,
  key_id uuid,
  user_id integer,
  job_id text,
  -- the run of an alert that the entry pays for
  alert_id text,
  delivery_id text,
  idempotency_key text,
  note text,
  constraint ledger_entry_sign check (
    case when kind in ('charge', 'reservation') then amount < 0 when kind = 'refund' then amount > 0 else true end),
  -- the balance before it was not below zero either
  constraint ledger_entry_before check (balance::bigint - amount >= 0)
);
create index ledger_entry_team on ledger_entry (team_id, id desc);
create index ledger_entry_grants on ledger_entry (team_id, id desc) where kind = 'grant';
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();

-- What a pool holds: of each project the revision last delivered, and the numbers of those delivered before it, which stay paid. `credits`
-- sums what the project's deliveries cost; `seq` grows with every change, a page's records together, so that a reader can follow what is new.
create sequence delivery_seq;
create table delivery (
  -- no reference, which would be checked for every record: each delivery locks the pool's row, which has one
  team_id integer not null,
  project_id bigint not null,
  revision text not null,
  revision_hash bigint not null,
  earlier_hashes bigint[] not null default '{}',
  -- revisions that were served before a delivered one: they bill nothing where a rollback serves them again
  superseded_hashes bigint[] not null default '{}',
  first_at timestamptz not null,
  last_at timestamptz not null,
  credits integer not null default 0 check (credits >= 0),
  seq bigint not null,
  primary key (team_id, project_id),
  -- a content is charged once in a pool: a record costs at most a credit for each content that was delivered
  constraint delivery_content_once check (credits <= 1 + cardinality(earlier_hashes))
) with (fillfactor = 80);
create index delivery_changes on delivery (team_id, seq);

create table document_delivery (
  team_id integer not null references team (id),
  document_id bigint not null,
  at timestamptz not null,
  credits integer not null default 0 check (credits >= 0),
  primary key (team_id, document_id)
);

-- Requests that a client may repeat under one key. A row is claimed for the time of a lease; only what was committed gives it an outcome, in
-- the transaction that charged, so that a request that died before can be repeated and is charged once.
create table idempotency (
  team_id integer not null references team (id),
  route text not null,
  key text not null,
  request_hash text not null,
  owner uuid not null,
  lease_until timestamptz not null,
  -- null until the outcome is committed
  outcome jsonb,
  created_at timestamptz not null,
  primary key (team_id, route, key)
);
create index idempotency_age on idempotency (created_at);

-- Credits that a job which is not settled yet has set aside; they have left the balance. `granted_for` is the grant that they came from.
create table reservation (
  job_id text not null references job (id),
  subject text not null check (subject in ('records', 'contacts')),
  team_id integer not null references team (id),
  credits integer not null check (credits > 0),
  granted_for text not null,
  primary key (job_id, subject)
);

-- What the delivery of a file (of an export or a snapshot) changed in the pool's holdings, a record each, so that it can be taken back as long
-- as the file is kept. An export has one part.
create table export_delivery (
  export_id text not null,
  part integer not null default 0,
  -- the grant that paid the part, as the pool names it
  granted_for text not null,
  project_ids bigint[] not null,
  hashes bigint[] not null,
  -- the revision that the pool held before, null where it held none
  before text[] not null,
  before_hashes bigint[] not null,
  -- the superseded revisions that the pool had before, as the text of a list, which a refund brings back; null where it held none
  superseded_before text[] not null,
  credits integer[] not null,
  -- rows that the pool held unchanged when they were delivered
  held_ids bigint[] not null,
  held_hashes bigint[] not null,
  primary key (export_id, part),
  constraint export_delivery_job foreign key (export_id) references job (id) on delete cascade
);

-- Each audit of the books, by hand or by the clock, so that metrics can say when the newest was and what it found.
create table audit_run (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  differences integer not null check (differences >= 0)
);
create index audit_run_newest on audit_run (at desc);

-- --------------------------------------------------------------------------------------------------------------------------- contacts

-- Look-ups of a team counted against its allowance, by month (UTC) or for life; what jobs that are not settled yet hold is among them.
create table contact_allowance (
  team_id integer not null references team (id),
  -- `YYYY-MM` or `lifetime`
  period text not null,
  used integer not null check (used >= 0),
  primary key (team_id, period)
);

-- What a job that is not settled yet holds of the allowance.
create table contact_hold (
  job_id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  period text not null,
  attempts integer not null check (attempts > 0)
);

-- What a job of look-ups found for a project, kept from its finder's answer to its settlement, so that a crash asks nobody twice.
create table contact_finding (
  job_id text not null references job (id) on delete cascade,
  project_id bigint not null,
  -- {opens, people, companies, lowConfidenceWithheld}; opens is null where nothing was found
  finding jsonb not null,
  primary key (job_id, project_id)
);

-- What a pool's look-ups brought, a project each. It stays readable for the pool, until somebody in it is suppressed.
create table contact_unlock (
  team_id integer not null references team (id),
  project_id bigint not null,
  opens text not null check (opens in ('channels', 'profiles', 'companies')),
  people jsonb not null,
  companies jsonb not null,
  low_confidence_withheld integer not null,
  -- of the people, so that somebody who is suppressed can be taken out
  hashes bigint[] not null,
  -- when an email or phone came first: it is charged once
  received_at timestamptz,
  credits integer not null default 0 check (credits >= 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (team_id, project_id)
);
create index contact_unlock_hashes on contact_unlock using gin (hashes);

-- What a job cannot say of an enrichment.
create table enrichment (
  id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  accepted bigint[] not null,
  already_enriched bigint[] not null,
  not_purchased bigint[] not null,
  not_found bigint[] not null,
  -- all null until it is settled
  processed integer,
  found integer,
  not_attempted bigint[],
  credits_reserved integer not null,
  credits_charged integer,
  credits_refunded integer
);

-- -------------------------------------------------------------------------------------------------------------- exports and snapshots

-- What a job cannot say of an export: what was asked for, and what became of its file. It lives as long as its job.
create table export (
  id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  -- {alertId, listId, projectIds, filters}, as a poll shows it
  source jsonb not null,
  -- of the set at acceptance; once the export is ready, of the set in the file
  match_count integer not null,
  truncated boolean not null,
  -- {filters, records}: how many are confirmed by evidence of earlier generations alone, and by which filters; null for none. Of the matches
  -- until the export is ready, then of its rows.
  unconfirmed jsonb,
  credits_reserved integer not null,
  credits_charged integer,
  credits_refunded integer,
  -- what came back when the file was lost
  credits_lost integer,
  -- of the contacts that it looks up
  contact_credits_reserved integer not null default 0,
  contact_credits_charged integer,
  row_count integer,
  -- cells that spreadsheets do not hold: the columns, and the number of rows with one; null where there are none
  cells_too_long jsonb,
  size_bytes bigint,
  sha256 text,
  -- null while there is no file, and when it has been deleted
  file_name text,
  ready_at timestamptz,
  expires_at timestamptz,
  -- when the file could not be read back
  lost_at timestamptz
);
create index export_with_file on export (expires_at) where file_name is not null;
-- What a team's kept files take.
create index export_team_file on export (team_id) where file_name is not null;

-- Whom the file of an export holds, as hashes, so that it can go when one of them is suppressed.
create table export_person (
  export_id text primary key references export (id) on delete cascade,
  hashes bigint[] not null
);

-- What a job cannot say of a snapshot: what was asked for, and what became of its files. It lives as long as its job.
create table snapshot (
  id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  filters jsonb not null,
  representation text not null check (representation in ('compact', 'standard', 'full')),
  format text not null check (format in ('ndjson', 'parquet')),
  compression text check (compression in ('gzip', 'zstd')),
  -- of the set at acceptance; once the snapshot is ready, of the set of which the files were made
  match_count integer not null,
  truncated boolean not null,
  -- as of an export
  unconfirmed jsonb,
  credits_reserved integer not null,
  credits_charged integer,
  credits_refunded integer,
  -- what came back when a file was lost
  credits_lost integer,
  record_count integer,
  file_count integer,
  size_bytes bigint,
  -- {generation, asOf, cursor}: the moment of which the files were made
  moment jsonb,
  ready_at timestamptz,
  expires_at timestamptz,
  -- when a file could not be read back
  lost_at timestamptz
);
create index snapshot_of_team on snapshot (team_id);

-- A file that an attempt writes, from before it is there until it has been deleted.
create table snapshot_file (
  snapshot_id text not null references snapshot (id) on delete cascade,
  attempt integer not null,
  number integer not null,
  -- the name in the store of files
  stored_as text not null,
  -- null until the file is whole
  size_bytes bigint,
  sha256 text,
  record_count integer,
  primary key (snapshot_id, attempt, number)
);

-- Records that an attempt has written into files, page by page, until its settlement delivers them.
create table snapshot_page (
  snapshot_id text not null references snapshot (id) on delete cascade,
  attempt integer not null,
  -- number of the file
  file integer not null,
  page integer not null,
  project_ids bigint[] not null,
  revisions text[] not null,
  hashes bigint[] not null,
  -- of each record its superseded revisions, as the text of a list; null of records without
  superseded text[],
  -- of everybody whom the page shows
  people bigint[] not null,
  primary key (snapshot_id, attempt, file, page)
);

-- Everybody in the files of a ready snapshot, as hashes.
create table snapshot_person (
  snapshot_id text not null references snapshot (id) on delete cascade,
  file integer not null,
  page integer not null,
  hashes bigint[] not null,
  primary key (snapshot_id, file, page)
);

-- ------------------------------------------------------------------------------------------------------------------------------ lists

-- A saved list belongs to a team. Membership lists name projects; filter and polygon lists keep criteria as they were sent.
create table project_list (
  id text primary key check (id ~ '^lst_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  kind text not null check (kind in ('membership', 'filter', 'polygon', 'alert')),
  name text not null check (length(name) between 1 and 200),
  description text check (length(description) <= 2000),
  alert_id text check ((alert_id is not null) = (kind = 'alert')),
  filters jsonb,
  polygon jsonb check ((polygon is not null) = (kind = 'polygon')),
  -- names of the record's fields, in the order of a table that shows the list
  columns text[] check (cardinality(columns) between 1 and 100),
  share_mode text not null default 'private' check (share_mode in ('private', 'team', 'custom')),
  share_user_ids integer[] not null default '{}',
  opt_out_user_ids integer[] not null default '{}',
  created_by integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- a deleted list is seen by nobody and is removed after 30 days; until then it can be restored
  deleted_at timestamptz,
  foreign key (team_id, created_by) references app_user (team_id, id)
);
create index project_list_team on project_list (team_id, created_at desc, id desc);
create unique index project_list_alert on project_list (alert_id) where alert_id is not null;
create index project_list_deleted on project_list (deleted_at) where deleted_at is not null;

create table list_project (
  list_id text not null references project_list (id) on delete cascade,
  project_id bigint not null check (project_id > 0),
  added_at timestamptz not null default now(),
  primary key (list_id, project_id)
);

-- ----------------------------------------------------------------------------------------------------------------------------- alerts

create table alert (
  id text primary key check (id ~ '^alr_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  name text not null check (length(name) between 1 and 200),
  status text not null check (status in ('active', 'paused', 'archived')),
  filters jsonb not null,
  specific_requirement text check (length(specific_requirement) <= 500),
  cadence jsonb not null,
  next_run_at timestamptz,
  last_run_at timestamptz,
  share_mode text not null check (share_mode in ('private', 'team', 'custom')),
  share_user_ids integer[] not null,
  opt_out_user_ids integer[] not null,
  notify jsonb not null,
  max_records_per_run integer not null check (max_records_per_run between 1 and 1000),
  max_credits integer check (max_credits > 0),
  -- no reference: the list is removed 30 days after the alert was deleted
  list_id text not null,
  problems jsonb,
  -- up to where changes have been looked at
  position jsonb not null,
  created_by integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- of a deleted alert: since when, and what it was before
  archived_at timestamptz,
  archived_from text check (archived_from in ('active', 'paused')),
  foreign key (team_id, created_by) references app_user (team_id, id),
  check ((next_run_at is not null) = (status = 'active'))
);
create index alert_team on alert (team_id, created_at desc, id desc) where status <> 'archived';
create index alert_next_run on alert (next_run_at) where status = 'active';

-- A scheduled run that fell due: once for each alert and time, whatever the number of workers.
create table alert_due (
  alert_id text not null references alert (id),
  due_at timestamptz not null,
  team_id integer not null,
  ended boolean not null default false,
  -- how many matching records are heard on which days, as a run before hearings announces; null of other runs
  heard jsonb,
  primary key (alert_id, due_at)
);
create index alert_due_team on alert_due (team_id, due_at) where not ended;

create table alert_delivery (
  id text primary key check (id ~ '^del_[0-9A-Za-z]{22}$'),
  alert_id text not null references alert (id),
  trigger text not null check (trigger in ('manual', 'scheduled')),
  due_at timestamptz check ((due_at is not null) = (trigger = 'scheduled')),
  status text not null check (status in ('running', 'completed', 'refused', 'failed')),
  new_records integer not null default 0,
  changed_records integer not null default 0,
  -- all that changed in the changed records
  changed_fields text[] not null default '{}',
  more_matched integer not null default 0,
  -- as of an export
  unconfirmed jsonb,
  credits_charged integer not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz,
  reason text,
  -- what the digest shows, without contacts; null once it was sent
  digest jsonb,
  check ((status = 'running') = (finished_at is null)),
  unique (alert_id, due_at)
);
create unique index alert_delivery_running on alert_delivery (alert_id) where status = 'running';
create index alert_delivery_newest on alert_delivery (alert_id, started_at desc, id desc);

-- The records of a delivery, in their order.
create table alert_delivered (
  delivery_id text not null references alert_delivery (id),
  place integer not null,
  project_id bigint not null,
  primary key (delivery_id, place)
);

-- What an alert has delivered of each record last.
create table alert_match (
  alert_id text not null references alert (id),
  project_id bigint not null,
  delivery_id text not null references alert_delivery (id),
  -- its place in the delivery
  place integer not null,
  revision text not null,
  revision_hash bigint not null,
  -- of that revision
  last_updated timestamptz not null,
  delivered_at timestamptz not null,
  -- the compact record as the pool was last known to hold it
  shown jsonb not null,
  shown_revision text not null,
  -- which fields changed since the alert delivered it before: null of a new record, and where that is not known
  changed_fields text[],
  -- the revision that was dismissed: a newer one comes back
  dismissed text,
  -- why it satisfies the requirement of its alert; null where it was delivered by the filters alone
  why text,
  evidence jsonb,
  primary key (alert_id, project_id),
  constraint alert_match_finding check ((why is null) = (evidence is null))
);
create index alert_match_newest on alert_match (alert_id, delivered_at desc, project_id desc);

-- Revisions that were judged and do not satisfy the requirement, as long as runs look where they lie.
create table alert_refused (
  alert_id text not null references alert (id),
  project_id bigint not null,
  revision_hash bigint not null,
  -- of that revision
  last_updated timestamptz not null,
  primary key (alert_id, project_id)
);

-- Addresses of an alert's notify.emailTo, by the key that added them.
create table alert_recipient (
  alert_id text not null references alert (id),
  address text not null,
  added_with uuid not null references api_key (id),
  added_at timestamptz not null,
  primary key (alert_id, address)
);

-- Feeds of an alert's matches, each read by whoever knows the secret in its addresses for as long as its creator is a member of the alert.
create table alert_feed (
  id text primary key check (id ~ '^fed_[0-9A-Za-z]{22}$'),
  alert_id text not null references alert (id),
  created_by integer not null references app_user (id),
  made_with uuid not null references api_key (id),
  -- keyed hash of the secret, which is kept nowhere
  digest bytea not null unique check (length(digest) = 32),
  created_at timestamptz not null
);
create index alert_feed_alert on alert_feed (alert_id, created_at desc, id desc);

-- ------------------------------------------------------------------------------------------------------------------------------- mail

-- What one recipient gets mails about, such as an alert, and whether they want no more of it. The token stands in the links of these mails.
create table mail_subscription (
  token text primary key,
  -- a digest of several alerts names all of them
  topic text not null check (length(topic) between 1 and 1000),
  -- lower case
  recipient text not null check (recipient ~ '^[!-~]{3,254}$'),
  unsubscribed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (topic, recipient)
);

-- The outbox: a mail is written in the transaction of the event that it reports, together with the job that sends it.
create table mail (
  id bigint generated always as identity primary key,
  -- names what happened, once for ever: one mail for each event and recipient
  event text not null check (length(event) between 1 and 300),
  subscription text not null references mail_subscription (token),
  -- {subject, paragraphs, link, reason}; null once the mail has ended
  content jsonb,
  status text not null default 'queued' check (status in ('queued', 'sent', 'unsubscribed', 'refused')),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((status = 'queued') = (ended_at is null)),
  check ((content is null) = (ended_at is not null)),
  unique (event, subscription)
);
create index mail_ended on mail (ended_at) where ended_at is not null;

-- Addresses outside a team that asked by a link to get its alerts' mails.
create table mail_confirmation (
  token text primary key,
  team_id integer not null references team (id),
  address text not null,
  -- the mailbox that the address stands for: without a tag, and without dots where they do not count
  canonical text not null,
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (team_id, address)
);
create index mail_confirmation_canonical on mail_confirmation (canonical, created_at);
create index mail_confirmation_team on mail_confirmation (team_id, created_at);

-- ----------------------------------------------------------------------------------------------------------------- events and webhooks

-- What happened to a team, written in the transaction of what it reports and kept for 30 days. Its id is the `webhook-id` at every endpoint.
create table event (
  id text primary key check (id ~ '^msg_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  type text not null check (length(type) between 1 and 60),
  -- the delivery, export or job that it is about; of a ping, the endpoint
  subject_id text not null,
  -- of an alert's delivery: the event is for the alert's members and for owners of the team
  alert_id text references alert (id),
  -- of a ping: the one endpoint that gets it
  webhook_id text,
  -- what a message says besides, where its type has more to say; never content of a record
  details jsonb,
  at timestamptz not null,
  -- Where it stands among those of its team, for readers that come back with a cursor. It gets its position when it is first read: whoever
  -- reads sees what is committed, so that one whose transaction ends late follows those that were read before, and is skipped by nobody.
  position bigint,
  -- the order in which events were written, where their times are equal
  entry bigint generated always as identity
);
create index event_team on event (team_id, at);
create index event_at on event (at);
create unique index event_position on event (team_id, position);
create index event_unplaced on event (team_id, at, entry) where position is null;

-- How far the positions of a team's events go. Its row is locked while events are given theirs.
create table event_log (
  team_id integer primary key references team (id),
  last_position bigint not null,
  -- up to here events were removed, so that a cursor before it has missed some
  removed_position bigint not null default 0
);

-- An endpoint of a team that events are sent to.
create table webhook (
  id text primary key check (id ~ '^whk_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  created_by integer not null,
  made_with uuid not null references api_key (id),
  url text not null check (length(url) between 1 and 2000),
  types text[] not null check (cardinality(types) > 0),
  description text check (length(description) <= 500),
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null,
  last_delivered_at timestamptz,
  -- the first failure since the last 2xx
  failing_since timestamptz,
  foreign key (team_id, created_by) references app_user (team_id, id)
);
create index webhook_team on webhook (team_id, created_at desc, id desc);

-- What its messages are signed with, encrypted under the secret of the service.
create table webhook_secret (
  id bigint generated always as identity primary key,
  webhook_id text not null references webhook (id) on delete cascade,
  made_with uuid not null references api_key (id),
  sealed bytea not null,
  -- of a replaced one: until when it signs, too
  expires_at timestamptz
);
create unique index webhook_secret_current on webhook_secret (webhook_id) where expires_at is null;
create index webhook_secret_webhook on webhook_secret (webhook_id);

-- An event on its way to an endpoint. `sending` has a job; `failed` is tried no more unless it is asked for again.
create table webhook_message (
  webhook_id text not null references webhook (id) on delete cascade,
  event_id text not null references event (id) on delete cascade,
  status text not null check (status in ('waiting', 'sending', 'delivered', 'failed')),
  -- since it was asked for last
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  primary key (webhook_id, event_id),
  check ((next_attempt_at is not null) = (status in ('waiting', 'sending')))
);
create index webhook_message_due on webhook_message (next_attempt_at, webhook_id) where status = 'waiting';
create index webhook_message_sending on webhook_message (webhook_id) where status = 'sending';
create index webhook_message_event on webhook_message (event_id);

create table webhook_attempt (
  id bigint generated always as identity primary key,
  webhook_id text not null,
  event_id text not null,
  status text not null check (status in ('delivered', 'failed')),
  http_status integer,
  error text check (length(error) <= 60),
  at timestamptz not null,
  next_attempt_at timestamptz,
  foreign key (webhook_id, event_id) references webhook_message (webhook_id, event_id) on delete cascade
);
create index webhook_attempt_newest on webhook_attempt (webhook_id, id desc);
create index webhook_attempt_message on webhook_attempt (webhook_id, event_id);

-- -------------------------------------------------------------------------------------------------------------------------- AI search

-- What a job cannot say of an AI search. It lives as long as its job.
create table ai_search (
  id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  -- when its client asked for the end of a search that had begun
  cancelled_at timestamptz,
  -- {filters, criteria}; null until the question was read
  interpretation jsonb,
  -- records to look at, best first; null until they were looked for
  candidates bigint[],
  -- whether they are ordered by ai_feedback
  by_feedback boolean not null default false,
  -- how many there are, also beyond those that one job looks at
  candidate_count integer,
  -- of `candidates`: counted against the day, and judged
  screened integer not null default 0,
  reviewed integer not null default 0,
  partial_reason text check (partial_reason in ('cancelled_by_user', 'daily_ai_budget_exhausted', 'review_ceiling_reached', 'deadline_reached')),
  -- of a settled search; null where nothing was judged
  match_count integer,
  match_count_is_exact boolean not null default false,
  warnings jsonb not null default '[]',
  credits_reserved integer not null,
  credits_charged integer,
  credits_refunded integer,
  contact_credits_reserved integer not null default 0,
  contact_credits_charged integer,
  check (reviewed <= screened)
);

-- Confirmed records, best first.
create table ai_search_match (
  search_id text not null references ai_search (id) on delete cascade,
  place integer not null,
  project_id bigint not null,
  -- whose text the evidence is from
  revision text not null,
  -- {score, whyThisMatched, evidence}
  finding jsonb not null,
  -- {project, matched, delivery} of a record that was delivered; null until the search is settled, and outside its window
  delivered json,
  primary key (search_id, place)
);

-- What a team said of records that answer a question or do not: its next search with the same words ranks by it.
create table ai_feedback (
  team_id integer not null references team (id),
  -- the question in lower case, with single spaces
  question text not null,
  project_id bigint not null,
  -- false: dismissed
  confirmed boolean not null,
  judged_at timestamptz not null default service_now(),
  primary key (team_id, question, project_id)
);
create index ai_feedback_age on ai_feedback (judged_at);

-- Records of which a pool's searches looked at the text, by day of the service clock.
create table ai_screened (
  team_id integer not null references team (id),
  day date not null,
  screened integer not null check (screened >= 0),
  primary key (team_id, day)
);

-- Answers of a language model by what it was asked: the same question over the same texts has the same answer, whichever process asks.
create table model_answer (
  -- SHA-256 of the screener's version, the model, the question and the texts
  key bytea primary key,
  answer jsonb not null,
  -- last day on which somebody asked for it, of the service clock
  used_on date not null
);
create index model_answer_used_on on model_answer (used_on);

-- Calls of a language model by day of the service clock.
create table model_calls (
  day date not null,
  -- id of the AI search or alert; empty for all of them
  subject text not null,
  calls integer not null check (calls > 0),
  primary key (day, subject)
);

-- -------------------------------------------------------------------------------------------------------------------------- the index

-- One history of what the index serves. Where an operator accepts another state of the index as the truth, that history ends and a new one
-- begins.
create table index_lineage (
  -- stands in cursors, and in the name of an alias of what is served
  id text primary key check (id ~ '^[a-z0-9]{8}$'),
  index_prefix text not null,
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  -- which set is served, which was before, and which one sync shows, each as of a commit; the aliases of Elasticsearch are made of it. Null
  -- before the first load.
  published jsonb,
  -- what a command is about to show, from before it changes the aliases until after; null while none does
  publishing jsonb
);
create unique index index_lineage_current on index_lineage (index_prefix) where ended_at is null;

-- What the index has shown, and what it may show next: a commit is written here before Elasticsearch shows it.
create table index_commit (
  lineage_id text not null references index_lineage (id),
  -- as the filter of the aliases has it: milliseconds since 1970 at the beginning of its load, or more
  commit bigint not null,
  -- the commit that it was built on; null for the first
  previous bigint,
  kind text not null check (kind in ('load', 'switch', 'rebuild', 'adopted')),
  generation bigint not null,
  -- the load that made the set of indices which shows it
  set_load bigint not null,
  -- commits of one chain are, in their order, all that its set holds; null where they are not kept from the beginning
  chain bigint,
  -- true of the first commit of a set that was made as a copy of what the commit before it shows
  copies_previous boolean not null default false,
  -- times of change, milliseconds since 1970: the first that the load could give, and the newest that its set shows
  first_stamp bigint,
  newest_stamp bigint not null,
  -- when the lines of a load were read, as the header of its file states; null of what is no load
  extracted_at timestamptz,
  -- what its set shows: visible versions of each kind, a sum over them, and what its generation states itself
  projects bigint,
  documents bigint,
  contacts bigint,
  removals bigint,
  digest text,
  figures jsonb,
  -- the generation file
  source_name text,
  source_sha256 text,
  -- files of this commit, and where they are kept
  kept_in text,
  source_file text,
  state_file text,
  state_sha256 text,
  -- what building the index again has to write; null where no state file is kept
  state_lines bigint,
  recorded_at timestamptz not null default now(),
  -- null where no reader has seen it: its set waits for activation, or its load was cut short
  served_at timestamptz,
  primary key (lineage_id, commit)
);

-- Each change of what sync shows, with its figures. The loader writes a row once the change is shown.
create table release (
  lineage_id text not null,
  commit bigint not null,
  generation bigint not null,
  activated_at timestamptz not null,
  -- true where a generation that was served before is served again
  rolled_back boolean not null,
  extracted_at timestamptz,
  record_count bigint not null,
  -- against the release before; null where it is not known what was shown before
  added bigint,
  changed bigint,
  removed bigint,
  -- SHA-256 of the digest of the commit; null where that has none
  digest text,
  -- [[state, records], …], most records first
  states jsonb not null,
  -- when the teams' events of it were queued; null until then
  announced_at timestamptz,
  primary key (lineage_id, commit)
);
create index release_unannounced on release (commit) where announced_at is null;

-- Each decision body of a place as it stood when a worker last looked: its rhythm, and whether it is silent (src/docs/coverage.md).
create table body_freshness (
  -- of the indices
  index_prefix text not null,
  -- <state>.<county>.<city>.<body>
  body_key text not null,
  state_id integer not null,
  county_id integer,
  city_id bigint,
  body text not null,
  record_count integer not null,
  cadence_days double precision,
  weekdays integer[] not null,
  usual_pause_days integer,
  last_meeting_date date,
  expected_by date,
  missed integer not null,
  stale_since date,
  last_extracted_at timestamptz,
  -- what its judgement continues with while no newer load names it: the newest load that did, and its rhythm then
  learned jsonb not null,
  primary key (index_prefix, body_key)
);

-- When a body fell silent, and when it reported again.
create table body_change (
  id bigint generated always as identity primary key,
  index_prefix text not null,
  body_key text not null,
  type text not null check (type in ('coverage.stale', 'coverage.recovered')),
  expected_by date,
  missed integer not null,
  at timestamptz not null,
  -- the teams that were sent the event
  team_ids integer[] not null
);
create index body_change_newest on body_change (index_prefix, id desc);

-- The day, by the service clock, and the release of which bodies were looked at.
create table freshness_check (
  index_prefix text primary key,
  day date not null,
  release bigint not null
);

-- ----------------------------------------------------------------------------------------------------------------------- the database

-- The text of what was applied, so that an edited file is refused.
create table applied_sql (
  -- a migration, or 'functions' for all of them together
  name text primary key,
  checksum text not null,
  -- of the functions
  version integer,
  applied_at timestamptz not null default now()
);

-- Which life of the data this is. A restore begins another one, so that no process continues with what it remembers of the life before.
create table database_epoch (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  began_at timestamptz not null default now(),
  -- name and moment of the backup that it began with; null for a life that began empty
  restored_from text,
  restored_moment timestamptz,
  check ((restored_from is null) = (restored_moment is null))
);
insert into database_epoch default values;
