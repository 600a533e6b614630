-- Calendars of hearings ahead, each read by whoever knows the secret in its address for as long as its creator has an open account.
create table hearing_feed (
  id text primary key check (id ~ '^hfd_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  created_by integer not null references app_user (id),
  made_with uuid not null references api_key (id),
  -- keyed hash of the secret, which is kept nowhere
  digest bytea not null unique check (length(digest) = 32),
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  created_at timestamptz not null
);
create index hearing_feed_creator on hearing_feed (created_by, created_at desc, id desc);

-- Why a member follows a project.
alter table list_project
  add column note text check (length(note) between 1 and 500);
