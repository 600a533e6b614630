-- Delivers one page to a pool: decides what bills, refuses or debits, and records it, in one statement and so in one transaction. A revision
-- that the pool was ever delivered is not billed again, also when a slower request or a rollback serves it after a newer one; nor is one that
-- was served before a delivered one. `p_superseded` has for each record the list of these as text, or null.
-- `p_truncate` cuts the page to the longest beginning that the balance pays for, in place of a refusal. Of a refused page nothing is written.
-- outcome: delivered | insufficient | exhausted. `served` records of the page were delivered; `affordable` could be. What the pool held before
-- and what each record costs are lists with a space between their entries, `-` for none: a client reads them an order of magnitude faster
-- than arrays. Times are milliseconds since 1970. `at` and the pool's version before and after are null where nothing was delivered.
-- The settings keep one plan, made once a connection, and `offset 0` has it look each record up by its key, whatever the table held when the
-- plan was made. What was looked up is found again by its place, which nobody else changes while the pool is locked.
drop function if exists deliver_page(integer, text, integer, integer, boolean, bigint[], text[], bigint[], jsonb, jsonb, text[]);
create or replace function deliver_page(
  p_team integer, p_granted_for text, p_grant integer, p_rate integer, p_truncate boolean,
  p_ids bigint[], p_revisions text[], p_hashes bigint[], p_cause jsonb, p_claim jsonb, p_superseded text[]
) returns table (
  outcome text, balance integer, cost integer, served integer, affordable integer,
  known_revisions text, last_deliveries text, costs text, at bigint, version_before text, version_after text
) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  held_revisions text[];
  held_times bigint[];
  held_rows tid[];
  prices integer[];
  unchanged_rows tid[];
begin
  balance := open_pool(p_team, p_granted_for, p_grant);
  select array_agg(held.revision), array_agg(held.ms), array_agg(held.place), array_agg(held.price), sum(held.price), count(*)
    into held_revisions, held_times, held_rows, prices, cost, served
    from (
      select d.revision, (extract(epoch from d.last_at) * 1000)::bigint as ms, d.ctid as place,
             case when d.revision = page.revision or page.hash = any (d.earlier_hashes) or page.hash = any (d.superseded_hashes) then 0
               else p_rate end as price
      from unnest(p_ids, p_revisions, p_hashes) with ordinality as page (id, revision, hash, n)
      left join lateral (
        select delivery.ctid, delivery.* from delivery where team_id = p_team and project_id = page.id offset 0
      ) as d on true
      order by n
    ) as held;
  cost := coalesce(cost, 0);
  affordable := served;
  outcome := 'delivered';
  if cost > balance then
    select count(*) into affordable
      from (select sum(price) over (order by n) as total from unnest(prices) with ordinality as page (price, n)) as running
      where total <= deliver_page.balance;
    if balance = 0 then
      outcome := 'exhausted';
    elsif not p_truncate then
      outcome := 'insufficient';
    else
      served := affordable;
      select coalesce(sum(price), 0) into cost from unnest(prices[1:served]) as price;
    end if;
  end if;
  known_revisions := array_to_string(held_revisions, ' ', '-');
  last_deliveries := array_to_string(held_times, ' ', '-');
  costs := array_to_string(prices, ' ');
  if outcome <> 'delivered' then
    return next;
    return;
  end if;
  version_before := holdings_version(p_team);
  select array_agg(page.place) into unchanged_rows
    from unnest(held_rows[1:served], held_revisions[1:served], p_revisions[1:served]) as page (place, held_revision, revision)
    where page.held_revision = page.revision;
  if unchanged_rows is not null then
    update delivery set last_at = service_now() where ctid = any (unchanged_rows);
  end if;
  if array_remove(held_revisions[1:served], null) <> '{}' then
    update credit_pool set reads_noted = reads_noted + 1 where team_id = p_team;
  end if;
  if coalesce(cardinality(unchanged_rows), 0) < served then
    insert into delivery as d (team_id, project_id, revision, revision_hash, first_at, last_at, credits, seq, superseded_hashes)
      select p_team, page.id, page.revision, page.hash, service_now(), service_now(), page.price, change.seq, coalesce(page.superseded::bigint[], '{}')
        from unnest(p_ids[1:served], p_revisions[1:served], p_hashes[1:served], prices[1:served], held_revisions[1:served], p_superseded[1:served])
               as page (id, revision, hash, price, held_revision, superseded),
             (select nextval('delivery_seq') as seq) as change
        where page.held_revision is distinct from page.revision
      on conflict (team_id, project_id) do update set
        last_at = excluded.last_at,
        revision = excluded.revision,
        revision_hash = excluded.revision_hash,
        earlier_hashes = array_append(array_remove(d.earlier_hashes, excluded.revision_hash), d.revision_hash),
        superseded_hashes = case
          when d.superseded_hashes @> excluded.superseded_hashes then d.superseded_hashes
          else array(select unnest(d.superseded_hashes) union select unnest(excluded.superseded_hashes))
        end,
        credits = d.credits + excluded.credits,
        seq = excluded.seq;
  end if;
  if cost > 0 then
    balance := enter_credits(p_team, 'charge', 'records', -cost, cost, p_cause);
  end if;
  at := (extract(epoch from service_now()) * 1000)::bigint;
  version_after := holdings_version(p_team);
  if p_claim is not null then
    perform settle_idempotency(p_team, p_claim, jsonb_build_object(
      'ids', to_jsonb(p_ids[1:served]), 'requested', cardinality(p_ids), 'revisions', to_jsonb(p_revisions[1:served]), 'cost', cost,
      'at', service_now(), 'kept', p_claim->'keep'));
  elsif coalesce(cardinality(unchanged_rows), 0) = served then
    -- the disk is not waited for: what a crash of the server could forget is when an unchanged page was read again, never a charge, nor what
    -- the pool holds, by which a copy learns what went
    perform set_config('synchronous_commit', 'off', true);
  end if;
  return next;
end $$;
