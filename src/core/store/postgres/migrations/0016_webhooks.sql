-- Up Migration

-- What happened to a team, written in the transaction of what it tells of and kept for 30 days. Its id is the `webhook-id` at every endpoint.
create table event (
  id text primary key check (id ~ '^msg_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  type text not null check (length(type) between 1 and 60),
  -- the delivery, export or job that it is about; of a ping, the endpoint
  subject_id text not null,
  -- of an alert's delivery: the event is for the alert's members and for owners of the team
  alert_id text references alert (id),
  -- of a ping: the one endpoint that gets it
  webhook_id text,
  at timestamptz not null
);
create index event_team on event (team_id, at);
create index event_at on event (at);

-- An endpoint of a team that events are sent to.
create table webhook (
  id text primary key check (id ~ '^whk_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  created_by integer not null,
  url text not null check (length(url) between 1 and 2000),
  types text[] not null check (cardinality(types) > 0),
  description text check (length(description) <= 500),
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null,
  last_delivered_at timestamptz,
  -- the first failure since the last 2xx
  failing_since timestamptz,
  foreign key (team_id, created_by) references app_user (team_id, id)
);
create index webhook_team on webhook (team_id, created_at desc, id desc);

-- What its messages are signed with, encrypted under the secret of the service.
create table webhook_secret (
  id bigint generated always as identity primary key,
  webhook_id text not null references webhook (id) on delete cascade,
  sealed bytea not null,
  -- of a replaced one: until when it signs, too
  expires_at timestamptz
);
create unique index webhook_secret_current on webhook_secret (webhook_id) where expires_at is null;
create index webhook_secret_webhook on webhook_secret (webhook_id);

-- An event on its way to an endpoint. `sending` has a job; `failed` is tried no more unless it is asked for again.
create table webhook_message (
  webhook_id text not null references webhook (id) on delete cascade,
  event_id text not null references event (id) on delete cascade,
  status text not null check (status in ('waiting', 'sending', 'delivered', 'failed')),
  -- since it was asked for last
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  primary key (webhook_id, event_id),
  check ((next_attempt_at is not null) = (status in ('waiting', 'sending')))
);
create index webhook_message_due on webhook_message (next_attempt_at, webhook_id) where status = 'waiting';
create index webhook_message_sending on webhook_message (webhook_id) where status = 'sending';
create index webhook_message_event on webhook_message (event_id);

create table webhook_attempt (
  id bigint generated always as identity primary key,
  webhook_id text not null,
  event_id text not null,
  status text not null check (status in ('delivered', 'failed')),
  http_status integer,
  error text check (length(error) <= 60),
  at timestamptz not null,
  next_attempt_at timestamptz,
  foreign key (webhook_id, event_id) references webhook_message (webhook_id, event_id) on delete cascade
);
create index webhook_attempt_newest on webhook_attempt (webhook_id, id desc);
create index webhook_attempt_message on webhook_attempt (webhook_id, event_id);

-- Down Migration

drop table webhook_attempt;
drop table webhook_message;
drop table webhook_secret;
drop table webhook;
drop table event;
