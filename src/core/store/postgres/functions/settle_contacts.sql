-- Charges a job's contacts with what it reserved for them; the rest goes back, and lapses where it is of a month before. The pool stays locked.
-- Returns what was reserved.
create or replace function settle_contacts(
  p_job text, p_team integer, p_granted_for text, p_grant integer, p_cost integer, p_cause jsonb
) returns integer language plpgsql as $$
declare
  held reservation;
begin
  perform open_pool(p_team, p_granted_for, p_grant);
  held := release_reservation(p_job, 'contacts', p_cause);
  if p_cost > 0 then
    perform enter_credits(p_team, 'charge', 'contacts', -p_cost, p_cost, p_cause);
  end if;
  perform lapse_credits(p_team, held.granted_for, coalesce(held.credits, 0) - p_cost, p_cause);
  return coalesce(held.credits, 0);
end $$;
