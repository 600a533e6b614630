-- Up Migration

alter table index_commit
  -- true of the first commit of a set that was made as a copy of what the commit before it shows
  add column copies_previous boolean not null default false,
  -- of the state file: what building the index again has to write; null where none is kept, and of commits that were made before it was counted
  add column state_lines bigint;

-- Down Migration

alter table index_commit drop column copies_previous, drop column state_lines;
