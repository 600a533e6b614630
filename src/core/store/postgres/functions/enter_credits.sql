-- Changes a locked pool's balance and writes why.
create or replace function enter_credits(
  p_team integer, p_kind text, p_subject text, p_amount integer, p_items integer, p_cause jsonb
) returns integer language plpgsql as $$
declare
  after integer;
begin
  update credit_pool set balance = balance + p_amount where team_id = p_team returning balance into after;
  insert into ledger_entry (
    team_id, at, kind, subject, amount, balance, items, request_id, route, key_id, user_id, job_id, idempotency_key, note, alert_id, delivery_id
  ) values (
    p_team, service_now(), p_kind, p_subject, p_amount, after, p_items, p_cause->>'requestId', p_cause->>'route', (p_cause->>'keyId')::uuid,
    (p_cause->>'userId')::integer, p_cause->>'jobId', p_cause->>'idempotencyKey', p_cause->>'note',
    p_cause->>'alertId', p_cause->>'deliveryId'
  );
  return after;
end $$;
