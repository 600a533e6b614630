-- Up Migration

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

-- Deliveries of snapshots can be taken back like those of exports. They are kept in parts; an export has one.
alter table export_delivery drop constraint export_delivery_export_id_fkey;
alter table export_delivery add column part integer not null default 0;
alter table export_delivery drop constraint export_delivery_pkey, add primary key (export_id, part);
alter table export_delivery add constraint export_delivery_job foreign key (export_id) references job (id) on delete cascade;

-- Down Migration

delete from export_delivery where export_id not in (select id from export);
alter table export_delivery drop constraint export_delivery_job;
alter table export_delivery drop constraint export_delivery_pkey, add primary key (export_id);
alter table export_delivery drop column part;
alter table export_delivery add constraint export_delivery_export_id_fkey foreign key (export_id) references export (id) on delete cascade;
drop table snapshot_person, snapshot_page, snapshot_file, snapshot;
