-- Up Migration

-- What readers are shown: which set is served, which was before, and which one sync shows, each as of a commit. The aliases of Elasticsearch are made
-- of it. Null until a command of a version that keeps it has run; a version before this one writes neither.
alter table index_lineage
  add column published jsonb,
  -- what a command is about to show, from before it changes the aliases until after; null while none does
  add column publishing jsonb;

-- Down Migration

alter table index_lineage drop column published, drop column publishing;
