-- Up Migration

-- Feeds of an alert's matches, each read by whoever knows the secret in its addresses for as long as its creator is a member of the alert.
create table alert_feed (
  id text primary key check (id ~ '^fed_[0-9A-Za-z]{22}$'),
  alert_id text not null references alert (id),
  created_by integer not null references app_user (id),
  -- keyed hash of the secret, which is kept nowhere
  digest bytea not null unique check (length(digest) = 32),
  created_at timestamptz not null
);
create index alert_feed_alert on alert_feed (alert_id, created_at desc, id desc);

-- Down Migration

drop table alert_feed;
