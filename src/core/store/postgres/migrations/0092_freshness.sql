-- Up Migration

-- What a message says besides the id of its subject, where its type has more to say; never content of a record.
alter table event add column details jsonb;

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
  at timestamptz not null
);
create index body_change_newest on body_change (index_prefix, id desc);

-- The day, by the service clock, and the release of which bodies were looked at.
create table freshness_check (
  index_prefix text primary key,
  day date not null,
  release bigint not null
);

-- Down Migration

drop table freshness_check;
drop table body_change;
drop table body_freshness;
alter table event drop column details;
