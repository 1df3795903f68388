-- Saved searches. One that was removed keeps its row without a name for a while, so that whoever has it in memory learns of it.
create table watches (
  id integer primary key autoincrement,
  name text unique,
  revision integer not null unique,
  body text not null,
  removed_at integer
) strict;

-- How far the log of events was read for them; null before the first time.
create table watch_position (
  id integer primary key check (id = 1),
  seq integer,
  revision integer not null
) strict;
insert into watch_position values (1, null, 0);

create table told (
  watch_id integer not null,
  channel_id integer not null,
  number integer not null,
  story integer,
  at integer not null,
  primary key (watch_id, channel_id, number)
) strict, without rowid;
create index told_by_post on told (channel_id, number);
create index told_by_story on told (watch_id, story) where story is not null;
create index told_by_time on told (watch_id, at);

-- What waits to be sent. Events are numbers only: words are read from the archive when they are sent.
create table deliveries (
  id integer primary key autoincrement,
  watch_id integer not null,
  sink text not null,
  events text not null,
  event_count integer not null,
  together integer not null,
  created_at integer not null,
  due_at integer not null,
  attempts integer not null default 0,
  tried_since integer,
  died_at integer,
  error text not null default ''
) strict;
create index deliveries_due on deliveries (watch_id, sink, due_at, id) where died_at is null;
create index deliveries_dead on deliveries (died_at, id) where died_at is not null;

-- One row for each sink that something waits for: when the first of it is due, and until when nothing is sent there.
create table delivery_queues (
  watch_id integer not null,
  sink text not null,
  due_at integer not null,
  held_until integer not null default 0,
  primary key (watch_id, sink)
) strict, without rowid;
create index delivery_queues_due on delivery_queues (due_at);
