-- What happened to posts, for those who follow a search.
create table events (
  seq bigint primary key,
  channel_id integer not null,
  number integer not null,
  at bigint not null,
  kind smallint not null,
  revision integer not null,
  document bytea,
  before bytea
);
create index events_of_post on events (channel_id, number, seq);

-- One row: the log's name, its last event, and the last that was forgotten. Who appends holds it.
create table event_log (
  id integer primary key check (id = 1),
  name text not null,
  last bigint not null,
  forgotten bigint not null
);
