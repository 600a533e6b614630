-- Delivers a part of what a file holds, by deliver_page, and keeps what this changed in the pool, and what was held unchanged, so that
-- undo_export_delivery can take it back. Where outcome is not `delivered` the transaction has to be rolled back.
create or replace function deliver_part(
  p_file text, p_part integer, p_team integer, p_granted_for text, p_grant integer, p_rate integer,
  p_ids bigint[], p_revisions text[], p_hashes bigint[], p_cause jsonb, p_superseded text[]
) returns table (outcome text, cost integer) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  held_revisions text[];
  held_hashes_before bigint[];
  held_superseded text[];
  prices text;
begin
  perform open_pool(p_team, p_granted_for, p_grant);
  select array_agg(held.revision order by held.n), array_agg(held.revision_hash order by held.n),
      array_agg(held.superseded order by held.n) into held_revisions, held_hashes_before, held_superseded
    from (
      select page.n, d.revision, d.revision_hash, d.superseded_hashes::text as superseded from unnest(p_ids) with ordinality as page (id, n)
      left join lateral (
        select delivery.revision, delivery.revision_hash, delivery.superseded_hashes from delivery where team_id = p_team and project_id = page.id offset 0
      ) as d on true
    ) as held;
  select page.outcome, page.cost, page.costs into outcome, cost, prices
    from deliver_page(p_team, p_granted_for, p_grant, p_rate, false, p_ids, p_revisions, p_hashes, p_cause, null, p_superseded) as page;
  -- deliver_page does not wait for the disk where nothing was new; what belongs to a file does
  perform set_config('synchronous_commit', 'on', true);
  if outcome = 'delivered' then
    insert into export_delivery (
      export_id, part, granted_for, project_ids, hashes, before, before_hashes, superseded_before, credits, held_ids, held_hashes
    )
      select p_file, p_part, (select granted_for from credit_pool where team_id = p_team),
        coalesce(array_agg(id) filter (where is_changed), '{}'), coalesce(array_agg(hash) filter (where is_changed), '{}'),
        coalesce(array_agg(before) filter (where is_changed), '{}'), coalesce(array_agg(before_hash) filter (where is_changed), '{}'),
        coalesce(array_agg(superseded) filter (where is_changed), '{}'),
        coalesce(array_agg(price) filter (where is_changed), '{}'),
        coalesce(array_agg(id) filter (where not is_changed), '{}'), coalesce(array_agg(hash) filter (where not is_changed), '{}')
      from (
        select *, before is distinct from revision as is_changed
        from unnest(p_ids, p_revisions, p_hashes, held_revisions, held_hashes_before, held_superseded, string_to_array(prices, ' ')::integer[])
          as page (id, revision, hash, before, before_hash, superseded, price)
      ) as page;
  end if;
  return next;
end $$;
