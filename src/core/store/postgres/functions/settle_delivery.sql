-- Delivers everything that a job hands over, and pays for what is new or changed now with what the job reserved; the rest goes back. Lists are
-- as those of deliver_page. Where outcome is not `delivered` the transaction has to be rolled back.
create or replace function settle_delivery(
  p_job text, p_team integer, p_granted_for text, p_grant integer, p_rate integer,
  p_ids bigint[], p_revisions text[], p_hashes bigint[], p_cause jsonb
) returns table (outcome text, reserved integer, cost integer, known_revisions text, costs text) language plpgsql as $$
declare
  held reservation;
begin
  perform open_pool(p_team, service_now(), p_granted_for, p_grant);
  held := release_reservation(p_job, 'records', p_cause);
  reserved := coalesce(held.credits, 0);
  select page.outcome, page.cost, page.known_revisions, page.costs into outcome, cost, known_revisions, costs
    from deliver_page(p_team, service_now(), p_granted_for, p_grant, p_rate, false, p_ids, p_revisions, p_hashes, p_cause, null) as page;
  -- deliver_page does not wait for the disk where nothing was new; the end of a job does
  perform set_config('synchronous_commit', 'on', true);
  perform lapse_credits(p_team, held.granted_for, reserved - cost, p_cause);
  return next;
end $$;
