-- Up Migration

-- Credits that a job which is not settled yet has set aside; they have left the balance. `granted_for` is the grant that they came from.
create table reservation (
  job_id text not null references job (id),
  subject text not null check (subject in ('records', 'contacts')),
  team_id integer not null references team (id),
  credits integer not null check (credits > 0),
  granted_for text not null,
  primary key (job_id, subject)
);

-- Grows whenever deliveries are taken back, so that nobody goes on with what they remember of a pool.
alter table credit_pool add column reversals integer not null default 0;

-- What a job cannot say of an export: what was asked for, and what became of its file. It lives as long as its job.
create table export (
  id text primary key references job (id) on delete cascade,
  team_id integer not null references team (id),
  -- {alertId, listId, projectIds, filters}, as a poll shows it
  source jsonb not null,
  -- of the set at acceptance; once the export is ready, of the set in the file
  match_count integer not null,
  truncated boolean not null,
  credits_reserved integer not null,
  credits_charged integer,
  credits_refunded integer,
  row_count integer,
  size_bytes bigint,
  sha256 text,
  -- null while there is no file, and when it has been deleted
  file_name text,
  ready_at timestamptz,
  expires_at timestamptz,
  -- when the file could not be read back
  lost_at timestamptz
);
create index export_with_file on export (expires_at) where file_name is not null;

-- What the delivery of an export changed in the pool's holdings, a record each, so that it can be taken back as long as the file is kept.
create table export_delivery (
  export_id text primary key references export (id) on delete cascade,
  project_ids bigint[] not null,
  hashes bigint[] not null,
  -- the revision that the pool held before, null where it held none
  before text[] not null,
  before_hashes bigint[] not null,
  credits integer[] not null
);

-- Sets credits aside for a job that the same transaction queues. outcome: reserved | insufficient | exhausted; of a refusal nothing is written.
create function reserve_credits(
  p_team integer, p_granted_for text, p_grant integer, p_job text, p_subject text, p_credits integer, p_cause jsonb
) returns table (outcome text, balance integer) language plpgsql as $$
begin
  balance := open_pool(p_team, service_now(), p_granted_for, p_grant);
  outcome := case when p_credits <= balance then 'reserved' when balance = 0 then 'exhausted' else 'insufficient' end;
  if outcome = 'reserved' and p_credits > 0 then
    balance := enter_credits(p_team, service_now(), 'reservation', p_subject, -p_credits, p_credits, p_cause);
    insert into reservation (job_id, subject, team_id, credits, granted_for)
      select p_job, p_subject, p_team, p_credits, pool.granted_for from credit_pool as pool where pool.team_id = p_team;
  end if;
  return next;
end $$;

-- Puts a job's reservation back into its pool, which stays locked; null where it has none.
create function release_reservation(p_job text, p_subject text, p_cause jsonb) returns reservation language plpgsql as $$
declare
  held reservation;
begin
  perform from credit_pool where team_id = (select team_id from reservation where job_id = p_job and subject = p_subject) for update;
  delete from reservation where job_id = p_job and subject = p_subject returning * into held;
  if not found then
    return null;
  end if;
  perform enter_credits(held.team_id, service_now(), 'refund', p_subject, held.credits, held.credits, p_cause);
  return held;
end $$;

-- Credits that come back when another grant is in force than they came from would outlive their month: they lapse.
create function lapse_credits(p_team integer, p_granted_for text, p_credits integer, p_cause jsonb) returns void language plpgsql as $$
begin
  if p_credits > 0 and exists (select from credit_pool where team_id = p_team and granted_for <> p_granted_for) then
    perform enter_credits(p_team, service_now(), 'adjustment', 'plan', -p_credits, 0,
      p_cause || jsonb_build_object('note', format('reserved from %s and not used; lapsed', p_granted_for)));
  end if;
end $$;

-- Gives a job's whole reservation back; returns its credits, 0 where it has none.
create function give_back_reservation(p_job text, p_subject text, p_cause jsonb) returns integer language plpgsql as $$
declare
  held reservation := release_reservation(p_job, p_subject, p_cause);
begin
  perform lapse_credits(held.team_id, held.granted_for, held.credits, p_cause);
  return coalesce(held.credits, 0);
end $$;

-- Delivers everything that a job hands over, and pays for what is new or changed now with what the job reserved; the rest goes back. Lists are
-- as those of deliver_page. Where outcome is not `delivered` the transaction has to be rolled back.
create function settle_delivery(
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

-- Takes a delivery back whose records never arrived, and refunds it: what the pool was delivered since stays. Returns the refund.
create function undo_export_delivery(p_export text, p_team integer, p_cause jsonb) returns integer language plpgsql as $$
declare
  refund integer;
begin
  update credit_pool set reversals = reversals + 1 where team_id = p_team;
  delete from delivery as d
    using export_delivery as e, unnest(e.project_ids, e.hashes, e.before, e.credits) as gone (id, hash, before, credits)
    where e.export_id = p_export and d.team_id = p_team and d.project_id = gone.id
      and gone.before is null and d.revision_hash = gone.hash and d.earlier_hashes = '{}' and d.credits = gone.credits;
  update delivery as d set
      revision = case when goes_back then gone.before else d.revision end,
      revision_hash = case when goes_back then gone.before_hash else d.revision_hash end,
      earlier_hashes = case
        when goes_back then array_remove(array_remove(d.earlier_hashes, gone.before_hash), gone.hash)
          || case when gone.credits = 0 then array[gone.hash] else '{}'::bigint[] end
        when gone.credits > 0 then array_remove(d.earlier_hashes, gone.hash)
        else d.earlier_hashes
      end,
      credits = d.credits - gone.credits,
      seq = nextval('delivery_seq')
    from export_delivery as e, unnest(e.project_ids, e.hashes, e.before, e.before_hashes, e.credits) as gone (id, hash, before, before_hash, credits),
      lateral (
        select held.revision_hash = gone.hash and gone.before is not null as goes_back
        from delivery as held where held.team_id = p_team and held.project_id = gone.id
      ) as change
    where e.export_id = p_export and d.team_id = p_team and d.project_id = gone.id;
  select coalesce(sum(paid.amount), 0) into refund from export_delivery as e, unnest(e.credits) as paid (amount) where e.export_id = p_export;
  delete from export_delivery where export_id = p_export;
  if refund > 0 then
    perform enter_credits(p_team, service_now(), 'refund', 'records', refund, refund, p_cause);
  end if;
  return refund;
end $$;

-- Down Migration

drop function undo_export_delivery, settle_delivery, give_back_reservation, lapse_credits, release_reservation, reserve_credits;
drop table export_delivery, export;
alter table credit_pool drop column reversals;
drop table reservation;
