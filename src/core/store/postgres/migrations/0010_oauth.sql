-- Programs that people connected to /mcp by OAuth: each acts for a key and spends at most so many credits a month, until it or its key ends.
create table oauth_connection (
  id text primary key check (id ~ '^con_[0-9A-Za-z]{22}$'),
  key_id uuid not null references api_key (id),
  -- what the program registered, signed, or the address of its metadata
  client_id text not null check (length(client_id) <= 4000),
  -- what it calls itself
  client_name text check (length(client_name) between 1 and 100),
  -- where the answer to its request went: an origin, or the scheme of a program on the person's machine
  returns_to text not null check (length(returns_to) <= 500),
  monthly_credits integer not null check (monthly_credits >= 0),
  created_at timestamptz not null
);
create index oauth_connection_key on oauth_connection (key_id, created_at desc);

-- Requests that wait for a person's consent, codes and tokens. Their ids are secrets, of which only keyed hashes are stored. What was used up stays
-- until it expires, so that a second use is noticed.
create table oauth_item (
  digest bytea primary key check (length(digest) = 32),
  kind text not null check (kind in ('Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken')),
  connection_id text references oauth_connection (id) on delete cascade,
  payload jsonb not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  check ((connection_id is null) = (kind = 'Interaction'))
);
create index oauth_item_connection on oauth_item (connection_id, expires_at);
create index oauth_item_expires on oauth_item (expires_at);

-- What the quotes cost that a connection accepted in this month; the whole price while a call runs.
create table oauth_spending (
  connection_id text not null references oauth_connection (id) on delete cascade,
  quote_id text not null check (length(quote_id) <= 200),
  credits integer not null check (credits >= 0),
  -- entries of the ledger after this one may be of the call
  ledger_from bigint not null,
  at timestamptz not null,
  primary key (connection_id, quote_id)
);
