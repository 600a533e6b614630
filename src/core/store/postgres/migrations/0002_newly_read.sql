-- Up Migration

alter table alert add column include_newly_read boolean not null default true;
-- new to the alert, and last heard too long before the run to be news
alter table alert_delivery add column newly_read_records integer not null default 0;
-- null of what was delivered before this column was there
alter table alert_match add column new_because text check (new_because in ('new_case', 'changed', 'newly_read', 'entered_window'));

-- Down Migration

alter table alert_match drop column new_because;
alter table alert_delivery drop column newly_read_records;
alter table alert drop column include_newly_read;
