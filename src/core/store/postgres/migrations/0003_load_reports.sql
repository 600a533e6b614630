-- The report of each load: what was found in it, and what of that was accepted.
alter table index_commit
  -- {code: how many}, and the codes that kept it from being served until they were accepted; null of what is no load
  add column findings jsonb,
  add column accepted jsonb,
  -- the whole report as JSON, compressed with zstd; null once a later commit of the set has its own
  add column report bytea;

alter table release
  -- null where it is not known what was found
  add column findings jsonb,
  add column accepted jsonb;
