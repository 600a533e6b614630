-- Up Migration

-- Revisions that were served before one that the pool was delivered: they bill nothing where a rollback serves them again.
alter table delivery add column superseded_hashes bigint[] not null default '{}';
-- Of each record its superseded revisions, as the text of a list; null of records without.
alter table snapshot_page add column superseded text[];

-- They take one more parameter now: functions that were there already would be called in place of theirs.
do $$
declare
  outdated regprocedure;
begin
  for outdated in
    select oid::regprocedure from pg_proc where pronamespace = current_schema()::regnamespace and proname in ('deliver_page', 'deliver_part')
  loop
    execute 'drop function ' || outdated;
  end loop;
end $$;

-- Down Migration

alter table snapshot_page drop column superseded;
alter table delivery drop column superseded_hashes;
