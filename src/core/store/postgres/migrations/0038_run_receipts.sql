-- Up Migration

-- The run of an alert that an entry pays for.
alter table ledger_entry add column alert_id text, add column delivery_id text;

-- The list of an alert goes when the alert is deleted; of those that were deleted before it goes now.
alter table alert drop constraint alert_list_id_fkey;
delete from project_list l using alert a where a.id = l.alert_id and a.status = 'archived';

-- Down Migration

alter table alert add constraint alert_list_id_fkey foreign key (list_id) references project_list (id) not valid;
alter table ledger_entry drop column delivery_id, drop column alert_id;
