-- Up Migration

-- Why a delivered record satisfies the requirement of its alert; null where it was delivered by the filters alone.
alter table alert_match add column why text, add column evidence jsonb, add constraint alert_match_finding check ((why is null) = (evidence is null));

-- Revisions that were judged and do not satisfy the requirement, as long as runs look where they lie.
create table alert_refused (
  alert_id text not null references alert (id),
  project_id bigint not null,
  revision_hash bigint not null,
  -- of that revision
  last_updated timestamptz not null,
  primary key (alert_id, project_id)
);

-- Down Migration

drop table alert_refused;
alter table alert_match drop constraint alert_match_finding, drop column evidence, drop column why;
