-- Up Migration

-- What a team said of records that answer a question or do not: its next search with the same words ranks by it.
create table ai_feedback (
  team_id integer not null references team (id),
  -- the question in lower case, with single spaces
  question text not null,
  project_id bigint not null,
  -- false: dismissed
  confirmed boolean not null,
  judged_at timestamptz not null default service_now(),
  primary key (team_id, question, project_id)
);
create index ai_feedback_age on ai_feedback (judged_at);

-- Whether the candidates are ordered by it.
alter table ai_search add column by_feedback boolean not null default false;

-- Down Migration

alter table ai_search drop column by_feedback;
drop table ai_feedback;
