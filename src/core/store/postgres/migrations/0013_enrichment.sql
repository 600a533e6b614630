-- Up Migration

-- Look-ups of a team counted against its allowance, by month (UTC) or for life; what jobs that are not settled yet hold is among them.
create table contact_allowance (
  team_id integer not null references team (id),
  -- `YYYY-MM` or `lifetime`
  period text not null,
  used integer not null check (used >= 0),
  primary key (team_id, period)
);

-- What a job that is not settled yet holds of the allowance.
create table contact_hold (
  job_id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  period text not null,
  attempts integer not null check (attempts > 0)
);

-- What a job of look-ups found for a project, kept from its finder's answer to its settlement, so that a crash asks nobody twice.
create table contact_finding (
  job_id text not null references job (id) on delete cascade,
  project_id bigint not null,
  -- {opens, people, companies, lowConfidenceWithheld}; opens is null where nothing was found
  finding jsonb not null,
  primary key (job_id, project_id)
);

-- What a pool's look-ups brought, a project each. It stays readable for the pool, until somebody in it is suppressed.
create table contact_unlock (
  team_id integer not null references team (id),
  project_id bigint not null,
  opens text not null check (opens in ('channels', 'profiles', 'companies')),
  people jsonb not null,
  companies jsonb not null,
  low_confidence_withheld integer not null,
  -- of the people, so that somebody who is suppressed can be taken out
  hashes bigint[] not null,
  -- when an email or phone came first: it is charged once
  received_at timestamptz,
  credits integer not null default 0 check (credits >= 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (team_id, project_id)
);
create index contact_unlock_hashes on contact_unlock using gin (hashes);

-- What a job cannot say of an enrichment.
create table enrichment (
  id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  accepted bigint[] not null,
  already_enriched bigint[] not null,
  not_purchased bigint[] not null,
  not_found bigint[] not null,
  -- all null until it is settled
  processed integer,
  found integer,
  not_attempted bigint[],
  credits_reserved integer not null,
  credits_charged integer,
  credits_refunded integer
);

-- Of the contacts that an export looks up: what they reserved, and cost once it is settled.
alter table export add column contact_credits_reserved integer not null default 0, add column contact_credits_charged integer;

-- Down Migration

alter table export drop column contact_credits_reserved, drop column contact_credits_charged;
drop table enrichment, contact_unlock, contact_finding, contact_hold, contact_allowance;
