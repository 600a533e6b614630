-- Holds look-ups of a team's allowance for a job that the same transaction queues; null is no limit, which is counted all the same. `fits` is
-- false where the allowance does not do: then nothing is held, and `used` is what it is without them.
create or replace function hold_attempts(p_team integer, p_for_life boolean, p_limit integer, p_job text, p_attempts integer)
returns table (fits boolean, used integer) language plpgsql as $$
declare
  p_period text := allowance_period(p_for_life);
begin
  insert into contact_allowance (team_id, period, used) values (p_team, p_period, 0) on conflict do nothing;
  select a.used into used from contact_allowance a where a.team_id = p_team and a.period = p_period for update;
  fits := p_limit is null or used + p_attempts <= p_limit;
  if fits and p_attempts > 0 then
    update contact_allowance a set used = a.used + p_attempts where a.team_id = p_team and a.period = p_period returning a.used into used;
    insert into contact_hold (job_id, team_id, period, attempts) values (p_job, p_team, p_period, p_attempts);
  end if;
  return next;
end $$;
