-- Saved searches. One that was removed keeps its row without a name for a while, so that whoever has it in memory learns of it.
create table watches (
  id integer generated always as identity primary key,
  name text collate "C" unique,
  revision bigint not null unique,
  body text not null,
  removed_at bigint
);

-- How far the log of events was read for them; null before the first time. Who leases or reads on holds its only row.
create table watch_position (
  id integer primary key check (id = 1),
  seq bigint,
  revision bigint not null
) with (fillfactor = 20);

create table told (
  watch_id integer not null,
  channel_id integer not null,
  number integer not null,
  story bigint,
  at bigint not null,
  primary key (watch_id, channel_id, number)
);
create index told_by_post on told (channel_id, number);
create index told_by_story on told (watch_id, story) where story is not null;
create index told_by_time on told (watch_id, at);

-- What waits to be sent. Events are numbers only: words are read from the archive when they are sent.
create table deliveries (
  id bigint generated always as identity primary key,
  watch_id integer not null,
  sink text collate "C" not null,
  events text not null,
  event_count integer not null,
  together boolean not null,
  created_at bigint not null,
  due_at bigint not null,
  attempts integer not null default 0,
  tried_since bigint,
  died_at bigint,
  error text not null default ''
);
create index deliveries_due on deliveries (watch_id, sink, due_at, id) where died_at is null;
create index deliveries_dead on deliveries (died_at, id) where died_at is not null;

-- One row for each sink that something waits for: when the first of it is due, and until when nothing is sent there.
create table delivery_queues (
  watch_id integer not null,
  sink text collate "C" not null,
  due_at bigint not null,
  held_until bigint not null default 0,
  primary key (watch_id, sink)
);
create index delivery_queues_due on delivery_queues (due_at);
