-- The trigger of `ledger_entry`: entries are added, never changed.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;
