-- Up Migration

-- A run is held by the lease of its job. Versions before this one write a holder, and take a run for dead a minute after held_since; both columns
-- go with the next version.
alter table alert_delivery alter column holder drop not null;

-- Down Migration

update alert_delivery set holder = gen_random_uuid() where holder is null;
alter table alert_delivery alter column holder set not null;
