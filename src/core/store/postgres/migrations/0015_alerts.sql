-- Up Migration

create table alert (
  id text primary key check (id ~ '^alr_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  name text not null check (length(name) between 1 and 200),
  status text not null check (status in ('active', 'paused', 'archived')),
  filters jsonb not null,
  specific_requirement text check (length(specific_requirement) <= 500),
  cadence jsonb not null,
  next_run_at timestamptz,
  last_run_at timestamptz,
  share_mode text not null check (share_mode in ('private', 'team', 'custom')),
  share_user_ids integer[] not null,
  opt_out_user_ids integer[] not null,
  notify jsonb not null,
  max_records_per_run integer not null check (max_records_per_run between 1 and 1000),
  max_credits integer check (max_credits > 0),
  list_id text not null references project_list (id),
  problems jsonb,
  -- up to where changes have been looked at
  position jsonb not null,
  created_by integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (team_id, created_by) references app_user (team_id, id),
  check ((next_run_at is not null) = (status = 'active'))
);
create index alert_team on alert (team_id, created_at desc, id desc) where status <> 'archived';
create index alert_next_run on alert (next_run_at) where status = 'active';

-- A scheduled run that fell due: once for each alert and time, whatever the number of workers.
create table alert_due (
  alert_id text not null references alert (id),
  due_at timestamptz not null,
  team_id integer not null,
  ended boolean not null default false,
  primary key (alert_id, due_at)
);
create index alert_due_team on alert_due (team_id, due_at) where not ended;

create table alert_delivery (
  id text primary key check (id ~ '^del_[0-9A-Za-z]{22}$'),
  alert_id text not null references alert (id),
  trigger text not null check (trigger in ('manual', 'scheduled')),
  due_at timestamptz check ((due_at is not null) = (trigger = 'scheduled')),
  status text not null check (status in ('running', 'completed', 'refused', 'failed')),
  new_records integer not null default 0,
  changed_records integer not null default 0,
  more_matched integer not null default 0,
  credits_charged integer not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz,
  reason text,
  -- of the process that runs it: one that was taken for dead writes nothing when it wakes up
  holder uuid not null,
  held_since timestamptz not null default now(),
  -- what the digest shows, without contacts; null once it was sent
  digest jsonb,
  check ((status = 'running') = (finished_at is null)),
  unique (alert_id, due_at)
);
create unique index alert_delivery_running on alert_delivery (alert_id) where status = 'running';
create index alert_delivery_newest on alert_delivery (alert_id, started_at desc, id desc);

-- The records of a delivery, in their order.
create table alert_delivered (
  delivery_id text not null references alert_delivery (id),
  place integer not null,
  project_id bigint not null,
  primary key (delivery_id, place)
);

-- What an alert has delivered of each record last.
create table alert_match (
  alert_id text not null references alert (id),
  project_id bigint not null,
  delivery_id text not null references alert_delivery (id),
  revision text not null,
  revision_hash bigint not null,
  -- of that revision
  last_updated timestamptz not null,
  delivered_at timestamptz not null,
  -- the revision that was dismissed: a newer one comes back
  dismissed text,
  primary key (alert_id, project_id)
);
create index alert_match_newest on alert_match (alert_id, delivered_at desc, project_id desc);

-- Addresses outside a team that asked by a link to get its alerts' mails.
create table mail_confirmation (
  token text primary key,
  team_id integer not null references team (id),
  address text not null,
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (team_id, address)
);

-- A digest of several alerts names all of them.
alter table mail_subscription drop constraint mail_subscription_topic_check;
alter table mail_subscription add constraint mail_subscription_topic_check check (length(topic) between 1 and 1000);

-- Down Migration

alter table mail_subscription drop constraint mail_subscription_topic_check;
alter table mail_subscription add constraint mail_subscription_topic_check check (length(topic) between 1 and 200);
drop table mail_confirmation;
drop table alert_match;
drop table alert_delivered;
drop table alert_delivery;
drop table alert_due;
drop table alert;
