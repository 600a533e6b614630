-- Up Migration

-- {filters, records}: how much of what was delivered is confirmed by evidence of earlier generations alone, and by which filters; null for nothing.
-- Of an export that is not ready yet, of its matches.
alter table export add column unconfirmed jsonb;
alter table alert_delivery add column unconfirmed jsonb;

-- Down Migration

alter table alert_delivery drop column unconfirmed;
alter table export drop column unconfirmed;
