-- Site briefs as they were answered, each for 30 days.
create table site_brief (
  id text primary key check (id ~ '^brf_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  created_by integer not null references app_user (id),
  -- place, use, release, statements, and precedents without their delivery
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  credits_used integer not null check (credits_used >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index site_brief_team on site_brief (team_id, created_at desc, id desc);
create index site_brief_expires on site_brief (expires_at);
