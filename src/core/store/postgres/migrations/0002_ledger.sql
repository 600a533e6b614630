-- Up Migration

-- One pool of credits a team. `balance` is the sum of the pool's entries and never below zero; `granted_for` names the plan and the month
-- (or the lifetime) that its newest grant is for, so that a reset happens once, also after months of sleep.
create table credit_pool (
  team_id integer primary key references team (id),
  balance integer not null default 0 check (balance >= 0),
  granted_for text not null default ''
);

-- Append-only: every change of a balance with its cause.
create table ledger_entry (
  id bigint generated always as identity primary key,
  team_id integer not null references team (id),
  at timestamptz not null,
  kind text not null check (kind in ('grant', 'charge', 'reservation', 'refund', 'adjustment')),
  subject text not null check (subject in ('plan', 'records', 'documents', 'contacts')),
  -- signed credits, and the balance after them
  amount integer not null,
  balance integer not null check (balance >= 0),
  -- records, documents or projects that the credits are for
  items integer not null default 0 check (items >= 0),
  request_id text,
  route text,
  key_id uuid,
  user_id integer,
  job_id text,
  idempotency_key text,
  note text
);
create index ledger_entry_team on ledger_entry (team_id, id desc);
create index ledger_entry_grants on ledger_entry (team_id, id desc) where kind = 'grant';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();

-- What a pool holds: of each project the revision last delivered, and the numbers of those delivered before it, which stay paid. `credits` sums
-- what the project's deliveries cost; `seq` grows with every change, a page's records together, so that a reader can follow what is new.
create sequence delivery_seq;
create table delivery (
  -- no reference, which would be checked for every record: each delivery locks the pool's row, which has one
  team_id integer not null,
  project_id bigint not null,
  revision text not null,
  revision_hash bigint not null,
  earlier_hashes bigint[] not null default '{}',
  first_at timestamptz not null,
  last_at timestamptz not null,
  credits integer not null default 0 check (credits >= 0),
  seq bigint not null,
  primary key (team_id, project_id)
) with (fillfactor = 80);
create index delivery_changes on delivery (team_id, seq);

create table document_delivery (
  team_id integer not null references team (id),
  document_id bigint not null,
  at timestamptz not null,
  credits integer not null default 0 check (credits >= 0),
  primary key (team_id, document_id)
);

-- Requests that a client may repeat under one key. A row is claimed for the time of a lease; only what was committed makes it `done`, in the
-- transaction that charged, so that a request that died before can be repeated and is charged once.
create table idempotency (
  team_id integer not null references team (id),
  route text not null,
  key text not null,
  request_hash text not null,
  owner uuid not null,
  lease_until timestamptz not null,
  -- null until the outcome is committed
  outcome jsonb,
  created_at timestamptz not null,
  primary key (team_id, route, key)
);
create index idempotency_age on idempotency (created_at);

-- state: claimed | replay | in_flight | reuse
create function claim_idempotency(
  p_team integer, p_route text, p_key text, p_hash text, p_owner uuid, p_now timestamptz, p_lease interval, p_keep interval
) returns table (state text, outcome jsonb, retry_after integer) language plpgsql as $$
declare
  found_row idempotency;
begin
  loop
    insert into idempotency (team_id, route, key, request_hash, owner, lease_until, created_at)
      values (p_team, p_route, p_key, p_hash, p_owner, p_now + p_lease, p_now) on conflict do nothing;
    if found then
      return query select 'claimed', null::jsonb, 0;
      return;
    end if;
    select * into found_row from idempotency i where i.team_id = p_team and i.route = p_route and i.key = p_key for update;
    -- given up by its owner between the two statements: tried again
    exit when found;
  end loop;
  if found_row.created_at > p_now - p_keep then
    if found_row.request_hash <> p_hash then
      return query select 'reuse', null::jsonb, 0;
      return;
    elsif found_row.outcome is not null then
      return query select 'replay', found_row.outcome, 0;
      return;
    elsif found_row.lease_until > p_now then
      return query select 'in_flight', null::jsonb, ceil(extract(epoch from found_row.lease_until - p_now))::integer;
      return;
    end if;
  end if;
  update idempotency i set request_hash = p_hash, owner = p_owner, lease_until = p_now + p_lease, outcome = null, created_at = p_now
    where i.team_id = p_team and i.route = p_route and i.key = p_key;
  return query select 'claimed', null::jsonb, 0;
end $$;

-- Commits the outcome of a claimed request. A claim whose lease ran out and was taken over fails, and with it the transaction that would charge.
create function settle_idempotency(p_team integer, p_claim jsonb, p_outcome jsonb) returns void language plpgsql as $$
begin
  if p_claim is null then
    return;
  end if;
  update idempotency set outcome = p_outcome
    where team_id = p_team and route = p_claim->>'route' and key = p_claim->>'key' and owner = (p_claim->>'owner')::uuid and outcome is null;
  if not found then
    raise exception 'the claim of this idempotency key is lost' using errcode = 'LU001';
  end if;
end $$;

-- What was left of a grant when another took its place; null for one that was never made. A plan that a team returns to within its month, or a
-- trial ever, goes on from there, so that changing plans to and fro grants nothing twice.
create function left_of_grant(p_team integer, p_granted_for text) returns integer language sql stable as $$
  select next.balance - next.amount
  from (select id from ledger_entry where team_id = p_team and kind = 'grant' and note = p_granted_for order by id desc limit 1) as made,
    lateral (select balance, amount from ledger_entry where team_id = p_team and kind = 'grant' and id > made.id order by id limit 1) as next
$$;

-- Locks the pool and brings its grant up to date; returns the balance. `p_granted_for` is the plan, a space, and the month or `lifetime`. An
-- entry is written when the grant changes the month or the plan, also one of 0 credits, so that the history says when. A request of a clock
-- that is behind, or that waited over midnight, pays from the month that is open already.
create function open_pool(p_team integer, p_now timestamptz, p_granted_for text, p_grant integer) returns integer language plpgsql as $$
declare
  pool credit_pool;
  credits integer;
begin
  select * into pool from credit_pool where team_id = p_team for update;
  if not found then
    insert into credit_pool (team_id) values (p_team) on conflict do nothing;
    select * into pool from credit_pool where team_id = p_team for update;
  end if;
  if pool.granted_for = p_granted_for
    or (split_part(pool.granted_for, ' ', 1) = split_part(p_granted_for, ' ', 1) and pool.granted_for > p_granted_for) then
    return pool.balance;
  end if;
  credits := coalesce(left_of_grant(p_team, p_granted_for), p_grant);
  insert into ledger_entry (team_id, at, kind, subject, amount, balance, note)
    values (p_team, p_now, 'grant', 'plan', credits - pool.balance, credits, p_granted_for);
  update credit_pool set balance = credits, granted_for = p_granted_for where team_id = p_team;
  return credits;
end $$;

-- The balance, without waiting for deliveries unless the grant has to be brought up to date.
create function pool_balance(p_team integer, p_now timestamptz, p_granted_for text, p_grant integer) returns integer language plpgsql as $$
begin
  return coalesce(
    (select balance from credit_pool where team_id = p_team and granted_for = p_granted_for),
    open_pool(p_team, p_now, p_granted_for, p_grant));
end $$;

-- Changes a locked pool's balance and writes why.
create function enter_credits(
  p_team integer, p_now timestamptz, p_kind text, p_subject text, p_amount integer, p_items integer, p_cause jsonb
) returns integer language plpgsql as $$
declare
  after integer;
begin
  update credit_pool set balance = balance + p_amount where team_id = p_team returning balance into after;
  insert into ledger_entry (
    team_id, at, kind, subject, amount, balance, items, request_id, route, key_id, user_id, job_id, idempotency_key, note
  ) values (
    p_team, p_now, p_kind, p_subject, p_amount, after, p_items, p_cause->>'requestId', p_cause->>'route', (p_cause->>'keyId')::uuid,
    (p_cause->>'userId')::integer, p_cause->>'jobId', p_cause->>'idempotencyKey', p_cause->>'note'
  );
  return after;
end $$;

-- Delivers one document; it is metered once in the life of the pool.
create function deliver_document(
  p_team integer, p_now timestamptz, p_granted_for text, p_grant integer, p_rate integer, p_document bigint, p_cause jsonb, p_claim jsonb
) returns table (outcome text, balance integer, cost integer) language plpgsql as $$
begin
  balance := open_pool(p_team, p_now, p_granted_for, p_grant);
  cost := case when exists (select from document_delivery where team_id = p_team and document_id = p_document) then 0 else p_rate end;
  outcome := case when cost > balance then 'exhausted' else 'delivered' end;
  if outcome = 'delivered' then
    insert into document_delivery (team_id, document_id, at, credits) values (p_team, p_document, p_now, cost) on conflict do nothing;
    if cost > 0 then
      balance := enter_credits(p_team, p_now, 'charge', 'documents', -cost, 1, p_cause);
    end if;
    perform settle_idempotency(p_team, p_claim, jsonb_build_object('ids', jsonb_build_array(p_document), 'cost', cost, 'at', p_now));
  end if;
  return next;
end $$;

-- Down Migration

drop function deliver_document, enter_credits, pool_balance, open_pool, left_of_grant, settle_idempotency, claim_idempotency;
drop table idempotency;
drop table document_delivery, delivery, ledger_entry, credit_pool;
drop sequence delivery_seq;
drop function refuse_change;
