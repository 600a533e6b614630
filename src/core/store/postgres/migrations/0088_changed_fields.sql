-- Up Migration

-- Which fields changed in a match since the alert delivered it before: null of a new record, and where that is not known.
alter table alert_match add column changed_fields text[];
-- All that changed in the changed records of a delivery.
alter table alert_delivery add column changed_fields text[] not null default '{}';

-- Down Migration

alter table alert_delivery drop column changed_fields;
alter table alert_match drop column changed_fields;
