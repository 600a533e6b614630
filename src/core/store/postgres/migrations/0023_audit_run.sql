-- Up Migration

-- Each audit of the books, by hand or by the clock, so that metrics can say when the newest was and what it found.
create table audit_run (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  differences integer not null check (differences >= 0)
);
create index audit_run_newest on audit_run (at desc);

-- Down Migration

drop table audit_run;
