-- Up Migration

-- Answers of a language model by what it was asked: the same question over the same texts has the same answer, whichever process asks.
create table model_answer (
  -- SHA-256 of the screener's version, the model, the question and the texts
  key bytea primary key,
  answer jsonb not null,
  -- last day on which somebody asked for it, of the service clock
  used_on date not null
);
create index model_answer_used_on on model_answer (used_on);

-- Calls of a language model by day of the service clock.
create table model_calls (
  day date not null,
  -- id of the AI search or alert; empty for all of them
  subject text not null,
  calls integer not null check (calls > 0),
  primary key (day, subject)
);

-- Down Migration

drop table model_calls, model_answer;
