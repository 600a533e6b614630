-- Up Migration

-- Credits that a job which is not settled yet has set aside; they have left the balance. `granted_for` is the grant that they came from.
create table reservation (
  job_id text not null references job (id),
  subject text not null check (subject in ('records', 'contacts')),
  team_id integer not null references team (id),
  credits integer not null check (credits > 0),
  granted_for text not null,
  primary key (job_id, subject)
);

-- Grows whenever deliveries are taken back, so that nobody goes on with what they remember of a pool.
alter table credit_pool add column reversals integer not null default 0;

-- What a job cannot say of an export: what was asked for, and what became of its file. It lives as long as its job.
create table export (
  id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  -- {alertId, listId, projectIds, filters}, as a poll shows it
  source jsonb not null,
  -- of the set at acceptance; once the export is ready, of the set in the file
  match_count integer not null,
  truncated boolean not null,
  credits_reserved integer not null,
  credits_charged integer,
  credits_refunded integer,
  row_count integer,
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

-- What the delivery of an export changed in the pool's holdings, a record each, so that it can be taken back as long as the file is kept.
create table export_delivery (
  export_id text primary key references export (id) on delete cascade,
  project_ids bigint[] not null,
  hashes bigint[] not null,
  -- the revision that the pool held before, null where it held none
  before text[] not null,
  before_hashes bigint[] not null,
  credits integer[] not null
);

-- Down Migration

-- of functions/: their types go with the table
drop function if exists give_back_reservation, settle_delivery, release_reservation;
drop table export_delivery, export;
alter table credit_pool drop column reversals;
drop table reservation;
