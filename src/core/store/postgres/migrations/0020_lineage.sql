-- Up Migration

-- One history of what the index serves. Where an operator accepts another state of the index as the truth, that history ends and a new one begins.
create table index_lineage (
  -- stands in cursors, and in the name of an alias of what is served
  id text primary key check (id ~ '^[a-z0-9]{8}$'),
  index_prefix text not null,
  -- true where the index was there before its lineage was kept: it need not bear the alias, and cursors need not name the lineage
  accepts_unmarked boolean not null,
  began_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index index_lineage_current on index_lineage (index_prefix) where ended_at is null;

-- What the index has shown, and what it may show next: a commit is written here before Elasticsearch shows it.
create table index_commit (
  lineage_id text not null references index_lineage (id),
  -- as the filter of the aliases has it: milliseconds since 1970 at the beginning of its load, or more
  commit bigint not null,
  -- the commit that it was built on; null for the first
  previous bigint,
  kind text not null check (kind in ('load', 'switch', 'rebuild', 'adopted')),
  generation bigint not null,
  -- the load that made the set of indices which shows it
  set_load bigint not null,
  -- commits of one chain are, in their order, all that its set holds; null where they are not kept from the beginning
  chain bigint,
  -- times of change, milliseconds since 1970: the first that the load could give, and the newest that its set shows
  first_stamp bigint,
  newest_stamp bigint not null,
  -- what its set shows: visible versions of each kind, a sum over them, and what its generation states itself
  projects bigint,
  documents bigint,
  contacts bigint,
  removals bigint,
  digest text,
  figures jsonb,
  -- the generation file
  source_name text,
  source_sha256 text,
  -- files of this commit, and where they are kept
  kept_in text,
  source_file text,
  state_file text,
  state_sha256 text,
  recorded_at timestamptz not null default now(),
  -- null where no reader has seen it: its set waits for activation, or its load was cut short
  served_at timestamptz,
  primary key (lineage_id, commit)
);

-- Down Migration

drop table index_commit;
drop table index_lineage;
