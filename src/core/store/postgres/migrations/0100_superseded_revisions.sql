-- Up Migration

-- Revisions that were served before one that the pool was delivered: they bill nothing where a rollback serves them again.
alter table delivery add column superseded_hashes bigint[] not null default '{}';
-- Of each record its superseded revisions, as the text of a list; null of records without.
alter table snapshot_page add column superseded text[];

-- Down Migration

alter table snapshot_page drop column superseded;
alter table delivery drop column superseded_hashes;
