-- Up Migration

-- A saved list belongs to a team. Membership lists name projects; filter and polygon lists keep criteria as they were sent.
create table project_list (
  id text primary key check (id ~ '^lst_[0-9A-Za-z]{22}$'),
  team_id integer not null references team (id),
  kind text not null check (kind in ('membership', 'filter', 'polygon', 'alert')),
  name text not null check (length(name) between 1 and 200),
  description text check (length(description) <= 2000),
  alert_id text check ((alert_id is not null) = (kind = 'alert')),
  filters jsonb,
  polygon jsonb check ((polygon is not null) = (kind = 'polygon')),
  share_mode text not null default 'private' check (share_mode in ('private', 'team', 'custom')),
  share_user_ids integer[] not null default '{}',
  opt_out_user_ids integer[] not null default '{}',
  created_by integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (team_id, created_by) references app_user (team_id, id)
);
create index project_list_team on project_list (team_id, created_at desc, id desc);
create unique index project_list_alert on project_list (alert_id) where alert_id is not null;

create table list_project (
  list_id text not null references project_list (id) on delete cascade,
  project_id bigint not null check (project_id > 0),
  added_at timestamptz not null default now(),
  primary key (list_id, project_id)
);

-- Down Migration

drop table list_project;
drop table project_list;
