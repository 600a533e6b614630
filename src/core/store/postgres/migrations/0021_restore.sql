-- Up Migration

-- Which life of the data this is. A restore begins another one, so that no process goes on with what it remembers of the life before.
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

-- Down Migration

drop table database_epoch;
