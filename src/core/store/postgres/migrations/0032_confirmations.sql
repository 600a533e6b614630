-- Up Migration

-- The mailbox that an address stands for: without a tag, and without dots where they do not count. Null: asked before it was kept.
alter table mail_confirmation add column canonical text;
create index mail_confirmation_canonical on mail_confirmation (canonical, created_at);
create index mail_confirmation_team on mail_confirmation (team_id, created_at);

-- Lists that no open account is a member of go to the owners of their team; those of alerts follow their alerts.
update project_list l set share_mode = 'custom', opt_out_user_ids = '{}', updated_at = now(),
  share_user_ids = array(
    select u.id from app_user u where u.team_id = l.team_id and u.role = 'owner' and u.closed_at is null order by u.id)
where l.kind <> 'alert'
  and exists (select from app_user u where u.team_id = l.team_id and u.role = 'owner' and u.closed_at is null)
  and not exists (
    select from app_user u where u.team_id = l.team_id and u.closed_at is null
      and (u.id = l.created_by or l.share_mode = 'team' and not u.id = any (l.opt_out_user_ids)
        or l.share_mode = 'custom' and u.id = any (l.share_user_ids)));

-- Down Migration

drop index mail_confirmation_team;
drop index mail_confirmation_canonical;
alter table mail_confirmation drop column canonical;
