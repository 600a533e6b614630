-- Up Migration

-- When an operator closed the team for good: its keys, users and everything that ran for it have stopped; its ledger stays.
alter table team add column closed_at timestamptz;

-- When an operator learned that somebody else has the key; such a key is revoked.
alter table api_key add column leaked_at timestamptz;

-- Down Migration

alter table api_key drop column leaked_at;
alter table team drop column closed_at;
