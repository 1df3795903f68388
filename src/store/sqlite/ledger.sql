-- What a restore never replaces: keys, quotas, the budget of requests, and who asked to be left out.

-- ## Callers

create table keys (
  id text primary key,
  name text,
  tier text not null,
  created_at integer not null,
  revoked_at integer,
  last_used_at integer,
  secret_hashes text not null
) strict, without rowid;

create table usage (
  caller text not null,
  policy text not null,
  started_at integer not null,
  ends_at integer not null,
  used integer not null,
  primary key (caller, policy)
) strict, without rowid;
create index usage_by_end on usage (ends_at);

-- ## Requests to the platform

create table budget (
  id integer primary key check (id = 1),
  tokens real not null,
  updated_at integer not null,
  pace real not null,
  pace_at integer not null,
  paused_until integer not null
) strict;

create table budget_minutes (
  minute integer primary key,
  granted integer not null,
  live integer not null
) strict;

-- What requests beyond regular visits have saved up, shared by all processes, and how many there were lately.
create table reserve (
  id integer primary key check (id = 1),
  credits real not null,
  used real not null,
  updated_at integer not null
) strict;

-- ## Removals

-- A copy of the store's opt-out register: whoever puts an older store in place keeps to what was removed since.
create table removals (
  name_key text not null,
  number integer not null,
  platform_id integer,
  members text not null,
  reason text not null,
  removed_at integer not null,
  primary key (name_key, number)
) strict, without rowid;
