-- Puts a job's reservation back into its pool, which stays locked; null where it has none.
create or replace function release_reservation(p_job text, p_subject text, p_cause jsonb) returns reservation language plpgsql as $$
declare
  held reservation;
begin
  perform from credit_pool where team_id = (select team_id from reservation where job_id = p_job and subject = p_subject) for update;
  delete from reservation where job_id = p_job and subject = p_subject returning * into held;
  if not found then
    return null;
  end if;
  perform enter_credits(held.team_id, 'refund', p_subject, held.credits, held.credits, p_cause);
  return held;
end $$;
