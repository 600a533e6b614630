-- Up Migration

-- What a user searches for by habit; the filters' own names and values.
create table search_preferences (
  user_id integer primary key references app_user (id),
  preferences jsonb not null,
  updated_at timestamptz not null
);

-- Down Migration

drop table search_preferences;
