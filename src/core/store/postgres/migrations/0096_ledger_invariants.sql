-- Up Migration

-- A write that breaks one of these ends its transaction, and nothing is charged. Rows from before are not read for them.

-- A charge and a reservation take credits, a refund gives some; the balance before an entry was not below zero either.
alter table ledger_entry
  add constraint ledger_entry_sign check (case when kind in ('charge', 'reservation') then amount < 0 when kind = 'refund' then amount > 0 else true end) not valid,
  add constraint ledger_entry_before check (balance::bigint - amount >= 0) not valid;

-- A content is charged once in a pool: a record costs at most a credit for each content that was delivered.
alter table delivery
  add constraint delivery_content_once check (credits <= 1 + cardinality(earlier_hashes)) not valid;

-- Down Migration

alter table delivery drop constraint delivery_content_once;
alter table ledger_entry drop constraint ledger_entry_sign, drop constraint ledger_entry_before;
