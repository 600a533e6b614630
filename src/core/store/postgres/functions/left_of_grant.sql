-- What was left of a grant when another took its place; null for one that was never made. A plan that a team returns to within its month, or a
-- trial ever, goes on from there, so that changing plans to and fro grants nothing twice. A month that was granted ahead of its time and taken
-- back by `mend_pool` is granted again when it comes.
create or replace function left_of_grant(p_team integer, p_granted_for text) returns integer language sql stable as $$
  select next.balance - next.amount
  from (select id from ledger_entry where team_id = p_team and kind = 'grant' and note = p_granted_for order by id desc limit 1) as made,
    lateral (select balance, amount from ledger_entry where team_id = p_team and kind = 'grant' and id > made.id order by id limit 1) as next
  where not exists (
    select from ledger_entry as later
    where later.team_id = p_team and later.kind = 'grant' and later.id > made.id and later.route = 'admin credits mend'
      and split_part(later.note, ' ', 1) = split_part(p_granted_for, ' ', 1) and later.note < p_granted_for
  )
$$;
