-- Restrictions on uses of land, as one list for each source that a load named. A list is never changed: a commit names the list of each source.
create table restriction_list (
  id bigint generated always as identity primary key,
  index_prefix text not null,
  source text not null,
  restrictions jsonb not null,
  created_at timestamptz not null default now()
);
create index restriction_list_source on restriction_list (index_prefix, source);
-- By source, the id of its list; null where no load has named a source.
alter table index_commit add column restrictions jsonb;
