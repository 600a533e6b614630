-- Values that people compared with the words of the minutes, of which the accuracy of bodies and releases is made.
create table value_review (
  index_prefix text not null,
  -- the generation that stated the value
  generation bigint not null,
  project_id bigint not null,
  field text not null,
  -- of the body whose minutes state it; null where that is not known
  body_key text,
  is_right boolean not null,
  reviewed_at timestamptz not null,
  primary key (index_prefix, generation, project_id, field)
);
create index value_review_body on value_review (index_prefix, body_key);
