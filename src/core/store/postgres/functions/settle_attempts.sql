-- Ends what a job holds of the allowance: of its look-ups so many were made, the others are given back to the month that they were held from.
create or replace function settle_attempts(p_job text, p_made integer) returns void language plpgsql as $$
declare
  held contact_hold;
begin
  delete from contact_hold where job_id = p_job returning * into held;
  if found then
    update contact_allowance set used = used - greatest(held.attempts - p_made, 0) where team_id = held.team_id and period = held.period;
  end if;
end $$;
