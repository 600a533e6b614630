-- What has been announced of restrictions, and of which lists on which day that was checked last.
create table restriction_check (
  index_prefix text primary key,
  day date not null,
  lists text not null,
  -- by source and id
  announced jsonb not null check (jsonb_typeof(announced) = 'object')
);

-- Calendars and feeds of restrictions, each read by whoever knows the secret in its address for as long as its creator has an open account.
create table restriction_feed (
  id text primary key check (id ~ '^rfd_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  created_by integer not null references app_user (id),
  made_with uuid not null references api_key (id),
  -- keyed hash of the secret, which is kept nowhere
  digest bytea not null unique check (length(digest) = 32),
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  created_at timestamptz not null
);
create index restriction_feed_creator on restriction_feed (created_by, created_at desc, id desc);
