-- How pools stand, each to a single record or, where the id is null, as the version before this one asks, to all that it holds, for several
-- requests at once: the balance, null where the grant has to be brought up to date; of a record the revision that is held and when it was last
-- delivered (milliseconds since 1970), both null if it never was, and what was unlocked of it; without a record the version of what the pool
-- holds; and now. A row for each entry of the lists, in their order. Locks and writes nothing. The settings are those of `deliver_page`.
drop function if exists read_standings(integer[], text[], bigint[]);
create or replace function read_standings(p_teams integer[], p_granted_for text[], p_ids bigint[])
returns table (balance integer, revision text, last_delivery bigint, unlock jsonb, version text, at bigint)
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query
    select pool.balance, held.revision, (extract(epoch from held.last_at) * 1000)::bigint, unlocked.content,
           case when asked.id is null then holdings_version(asked.team) end, (extract(epoch from service_now()) * 1000)::bigint
    from unnest(p_teams, p_granted_for, p_ids) with ordinality as asked (team, granted_for, id, n)
    left join lateral (
      select credit_pool.balance from credit_pool
      where team_id = asked.team and credit_pool.granted_for = granted_now(asked.granted_for) offset 0
    ) as pool on true
    left join lateral (
      select delivery.revision, delivery.last_at from delivery where team_id = asked.team and project_id = asked.id offset 0
    ) as held on true
    left join lateral (
      select jsonb_build_object('opens', opens, 'people', people, 'companies', companies, 'lowConfidenceWithheld', low_confidence_withheld) as content
      from contact_unlock where team_id = asked.team and project_id = asked.id offset 0
    ) as unlocked on true
    order by asked.n;
end $$;
