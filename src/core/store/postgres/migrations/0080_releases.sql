-- Up Migration

-- When the lines of a load were read, as the header of its file states; null of what is no load.
alter table index_commit add column extracted_at timestamptz;

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

-- Down Migration

drop table release;
alter table index_commit drop column extracted_at;
