-- Up Migration

-- A team holds the credit pool, the plan and the licence. Lapsed: the plan ended, keys stay valid. Disabled: switched off by us.
create table team (
  id integer generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  plan text not null check (plan in ('county', 'state', 'multi_state', 'national', 'api_only', 'trial')),
  status text not null default 'active' check (status in ('active', 'lapsed', 'disabled')),
  -- the team's own monthly figure; null takes the plan's
  monthly_credits integer check (monthly_credits >= 0),
  created_at timestamptz not null default now()
);

create table app_user (
  id integer generated always as identity primary key,
  team_id integer not null references team (id),
  name text not null check (length(name) between 1 and 200),
  email text check (length(email) <= 320),
  role text not null default 'member' check (role in ('owner', 'member')),
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (team_id, id)
);
create unique index app_user_email on app_user (lower(email)) where email is not null and closed_at is null;

-- What a State, Multi-State, County or trial team may see: a row is one whole state or one county (FIPS numbers).
create table licence (
  team_id integer not null references team (id) on delete cascade,
  state_id integer,
  county_id integer,
  check (num_nonnulls(state_id, county_id) = 1),
  unique nulls not distinct (team_id, state_id, county_id)
);

-- A key is kept only as a keyed hash; prefix and last four characters are for people to tell keys apart.
create table api_key (
  id uuid primary key default gen_random_uuid(),
  team_id integer not null references team (id),
  -- the actor to whom the key is attributed: its creator until a team owner reassigns it
  user_id integer not null,
  digest bytea not null unique check (length(digest) = 32),
  prefix text not null,
  last_four text not null,
  name text check (length(name) <= 200),
  environment text not null default 'live' check (environment in ('live', 'test')),
  created_at timestamptz not null default now(),
  last_reassigned_at timestamptz,
  revoked_at timestamptz,
  -- the end of a rotated key's grace window
  expires_at timestamptz,
  replaced_by uuid references api_key (id),
  foreign key (team_id, user_id) references app_user (team_id, id),
  check ((expires_at is null) = (replaced_by is null))
);
create index api_key_team on api_key (team_id);
create index api_key_user on api_key (user_id);

-- Down Migration

drop table api_key;
drop table licence;
drop table app_user;
drop table team;
