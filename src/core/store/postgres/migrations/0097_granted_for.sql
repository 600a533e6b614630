-- Up Migration

-- The grant that paid a part of a file, as the pool names it; null of parts from before.
alter table export_delivery add column granted_for text;

-- Down Migration

alter table export_delivery drop column granted_for;
