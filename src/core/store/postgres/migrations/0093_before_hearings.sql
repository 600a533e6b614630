-- Up Migration

-- How many matching records are heard on which days, as a due run of an alert that runs before hearings announces; null of others.
alter table alert_due add column heard jsonb;

-- Down Migration

alter table alert_due drop column heard;
