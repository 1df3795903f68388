-- What happened to posts, for those who follow a search.
create table events (
  seq integer primary key,
  key integer not null,
  at integer not null,
  kind integer not null,
  revision integer not null,
  document blob,
  before blob
) strict;
create index events_of_post on events (key, seq);

-- One row: the log's name, its last event, and the last that was forgotten.
create table event_log (
  id integer primary key check (id = 1),
  name text not null,
  last integer not null,
  forgotten integer not null
) strict;
