-- Up Migration

-- A deleted list, or the list of a deleted alert, is seen by nobody and goes for good after 30 days; until then it can be restored.
alter table project_list
  add column deleted_at timestamptz,
  -- names of the record's fields, in the order of a table that shows the list
  add column columns text[] check (cardinality(columns) between 1 and 100);
create index project_list_deleted on project_list (deleted_at) where deleted_at is not null;

-- What a deleted alert was before, and since when it is deleted. Alerts that were deleted by earlier versions cannot be restored.
alter table alert
  add column archived_at timestamptz,
  add column archived_from text check (archived_from in ('active', 'paused'));

-- Down Migration

alter table alert drop column archived_from, drop column archived_at;
delete from project_list where deleted_at is not null;
drop index project_list_deleted;
alter table project_list drop column columns, drop column deleted_at;
