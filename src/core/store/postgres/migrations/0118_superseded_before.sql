-- Up Migration

-- Of each delivered project the superseded revisions that the pool had before, as the text of a list, which a refund brings back; null if that is not known.
alter table export_delivery add column superseded_before text[] not null default '{}';
update export_delivery set superseded_before = array_fill(null::text, array[cardinality(project_ids)]);

-- Down Migration

alter table export_delivery drop column superseded_before;
