-- Up Migration

-- Place of a match in its delivery, and its compact record as the pool was last known to hold it: null where a version before delivered it.
alter table alert_match add column place integer, add column shown jsonb, add column shown_revision text;
update alert_match m set place = r.place from alert_delivered r where r.delivery_id = m.delivery_id and r.project_id = m.project_id;

-- Down Migration

alter table alert_match drop column shown_revision, drop column shown, drop column place;
