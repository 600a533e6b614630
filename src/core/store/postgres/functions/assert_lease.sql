-- Locks the job for the rest of the transaction and throws LU002 unless this attempt holds it now. Every function that moves money or writes
-- for a job begins with it. clock_timestamp(): the transaction may have waited for the lock.
create or replace function assert_lease(p_job text, p_attempt integer) returns void language plpgsql as $$
declare
  held timestamptz;
begin
  select lease_until into held from job where id = p_job and attempt = p_attempt and status = 'running' for update;
  if held is null or held <= clock_timestamp() then
    raise exception 'attempt % of job % has lost its lease', p_attempt, p_job using errcode = 'LU002';
  end if;
end $$;
