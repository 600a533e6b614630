-- Up Migration

-- What was made with which key, so that a leaked key takes with it what it made. Null: made before this was recorded.
alter table api_key
  -- the key whose request minted it, or rotated another key to it
  add column minted_by uuid references api_key (id),
  add column minter text check (minter in ('key', 'operator')),
  add constraint api_key_minter check ((minted_by is not null) = (minter is not distinct from 'key'));
alter table alert_feed add column made_with uuid references api_key (id);
alter table webhook add column made_with uuid references api_key (id);
alter table webhook_secret add column made_with uuid references api_key (id);

-- Addresses of an alert's notify.emailTo, by the key that added them.
create table alert_recipient (
  alert_id text not null references alert (id),
  address text not null,
  added_with uuid not null references api_key (id),
  added_at timestamptz not null,
  primary key (alert_id, address)
);

-- Down Migration

drop table alert_recipient;
alter table webhook_secret drop column made_with;
alter table webhook drop column made_with;
alter table alert_feed drop column made_with;
alter table api_key drop constraint api_key_minter, drop column minter, drop column minted_by;
