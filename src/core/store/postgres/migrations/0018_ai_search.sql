-- Up Migration

-- What a job cannot say of an AI search. It lives as long as its job.
create table ai_search (
  id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  -- when its client asked for the end of a search that had begun
  cancelled_at timestamptz,
  -- {filters, criteria}; null until the question was read
  interpretation jsonb,
  -- records to look at, best first; null until they were looked for
  candidates bigint[],
  -- how many there are, also beyond those that one job looks at
  candidate_count integer,
  -- of `candidates`: counted against the day, and judged
  screened integer not null default 0,
  reviewed integer not null default 0,
  partial_reason text check (partial_reason in ('cancelled_by_user', 'daily_ai_budget_exhausted', 'review_ceiling_reached', 'deadline_reached')),
  -- of a settled search; null where nothing was judged
  match_count integer,
  match_count_is_exact boolean not null default false,
  warnings jsonb not null default '[]',
  credits_reserved integer not null,
  credits_charged integer,
  credits_refunded integer,
  contact_credits_reserved integer not null default 0,
  contact_credits_charged integer,
  check (reviewed <= screened)
);

-- Confirmed records, best first.
create table ai_search_match (
  search_id text not null references ai_search (id) on delete cascade,
  place integer not null,
  project_id bigint not null,
  -- whose text the evidence is from
  revision text not null,
  -- {score, whyThisMatched, evidence}
  finding jsonb not null,
  -- {project, matched, delivery} of a record that was delivered; null until the search is settled, and outside its window
  delivered json,
  primary key (search_id, place)
);

-- Records of which a pool's searches looked at the text, by day of the service clock.
create table ai_screened (
  team_id integer not null references team (id),
  day date not null,
  screened integer not null check (screened >= 0),
  primary key (team_id, day)
);

-- Down Migration

drop table ai_screened, ai_search_match, ai_search;
