-- Up Migration

-- What one recipient gets mails about, such as an alert, and whether they want no more of it. The token stands in the links of these mails.
create table mail_subscription (
  token text primary key,
  topic text not null check (length(topic) between 1 and 200),
  -- lower case
  recipient text not null check (recipient ~ '^[!-~]{3,254}$'),
  unsubscribed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (topic, recipient)
);

-- The outbox: a mail is written in the transaction of the event that it tells of, together with the job that sends it.
create table mail (
  id bigint generated always as identity primary key,
  -- names what happened, once for ever: one mail for each event and recipient
  event text not null check (length(event) between 1 and 300),
  subscription text not null references mail_subscription (token),
  -- {subject, paragraphs, link, reason}; null once the mail has ended
  content jsonb,
  status text not null default 'queued' check (status in ('queued', 'sent', 'unsubscribed', 'refused')),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((status = 'queued') = (ended_at is null)),
  check ((content is null) = (ended_at is not null)),
  unique (event, subscription)
);
create index mail_ended on mail (ended_at) where ended_at is not null;

-- People who asked not to be found, as keyed hashes of what is known of them: nobody can be read out of this table.
create table suppression (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('email', 'phone', 'person')),
  -- first 64 bits of the HMAC of kind and canonical text, under the secret of the service
  hash bigint not null unique,
  -- hash of a constant under the same secret: another secret would know nobody of this table
  key_check bigint not null,
  note text check (length(note) <= 500),
  added_at timestamptz not null default now()
);

-- Whom the file of an export holds, by such hashes, so that it can go when one of them is suppressed.
create table export_person (
  export_id text primary key references export (id) on delete cascade,
  hashes bigint[] not null
);

-- Down Migration

drop table export_person;
drop table suppression;
drop table mail;
drop table mail_subscription;
