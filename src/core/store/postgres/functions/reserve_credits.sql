-- Sets credits aside for a job that the same transaction queues. outcome: reserved | insufficient | exhausted; of a refusal nothing is written.
create or replace function reserve_credits(
  p_team integer, p_granted_for text, p_grant integer, p_job text, p_subject text, p_credits integer, p_cause jsonb
) returns table (outcome text, balance integer) language plpgsql as $$
begin
  balance := open_pool(p_team, p_granted_for, p_grant);
  outcome := case when p_credits <= balance then 'reserved' when balance = 0 then 'exhausted' else 'insufficient' end;
  if outcome = 'reserved' and p_credits > 0 then
    balance := enter_credits(p_team, 'reservation', p_subject, -p_credits, p_credits, p_cause);
    insert into reservation (job_id, subject, team_id, credits, granted_for)
      select p_job, p_subject, p_team, p_credits, pool.granted_for from credit_pool as pool where pool.team_id = p_team;
  end if;
  return next;
end $$;
