-- Gives a job's whole reservation back; returns its credits, 0 where it has none.
create or replace function give_back_reservation(p_job text, p_subject text, p_cause jsonb) returns integer language plpgsql as $$
declare
  held reservation := release_reservation(p_job, p_subject, p_cause);
begin
  perform lapse_credits(held.team_id, held.granted_for, held.credits, p_cause);
  return coalesce(held.credits, 0);
end $$;
