-- The archive, and in `{ledger}` what a restore never replaces: keys, quotas, the budget of requests, roles and the opt-out register.
-- Texts that order anything compare by code point, whatever the database's own order is. Times are milliseconds; days, hours and
-- minutes are counted from 1970. Number 0 is the channel itself.

-- The version of this schema; a program of another refuses to work on it.
create table schema_versions (version integer primary key, applied_at timestamptz not null default now());

-- The database's clock in milliseconds, unless a test brings its own.
create function clock_ms(given bigint) returns bigint language sql stable as $$
  select coalesce(given, floor(extract(epoch from statement_timestamp()) * 1000)::bigint)
$$;

-- ## Channels

create sequence channel_ids as integer;

create table channels (
  id integer primary key,
  platform_id bigint unique,
  username text collate "C" not null,
  name_key text collate "C" not null,
  title text not null,
  description text not null,
  avatar_url text,
  verified boolean not null,
  subscribers bigint not null,
  counts text not null,
  status text collate "C" not null,
  reason text,
  language text collate "C",
  added_at bigint not null,
  last_visited_at bigint,
  posts integer not null,
  first_post_at bigint,
  last_post_at bigint,
  posts_per_day double precision not null
) with (fillfactor = 80);
create index channels_by_subscribers on channels (subscribers desc, id);
create index channels_by_pace on channels (posts_per_day desc, id);
create index channels_by_newest on channels ((coalesce(last_post_at, -1)) desc, id);
create index channels_by_added on channels (added_at desc, id);
create index channels_by_name on channels (name_key, id);
create index channels_by_oldest on channels (first_post_at);
-- Lists of channels that few are like: those in a rare language or state, and those with a mark, are found by it.
create index channels_by_language on channels (language, id);
create index channels_by_status on channels (status, id);
create index channels_verified on channels (id) where verified;

-- Their words as the analyzer folds them.
create table channel_words (
  channel_id integer primary key,
  name text not null,
  title text not null,
  description text not null
);

-- Channels by the beginnings of those words. Written with them.
create table channel_starts (
  start text collate "C" not null,
  channel_id integer not null,
  primary key (start, channel_id)
);
create index channel_starts_by_channel on channel_starts (channel_id);

-- Whom a name means: the last channel seen to show it. What it showed before stays an alias until another shows it.
create table channel_names (
  name_key text collate "C" primary key,
  name text not null,
  channel_id integer not null,
  learnt_at bigint not null
);
create index channel_names_by_channel on channel_names (channel_id, learnt_at);

-- What the last reading of each UTC day saw of a channel.
create table channel_days (
  channel_id integer not null,
  day integer not null,
  subscribers bigint,
  views bigint,
  primary key (channel_id, day)
);

-- ## Posts

-- What filters, listings and counters need, narrow and with room in the page: a view count rewrites this row and no text.
create table posts (
  channel_id integer not null,
  number integer not null,
  published_at bigint not null,
  flags integer not null,
  revision integer not null,
  last_captured_at bigint not null,
  deleted_at bigint,
  views bigint,
  counts text,
  language text collate "C",
  detected_language text collate "C",
  language_weight bigint not null default 0,
  primary key (channel_id, number)
) with (fillfactor = 80);

create table post_bodies (
  channel_id integer not null,
  number integer not null,
  text text not null,
  rest text,
  sha256 bytea not null,
  first_captured_at bigint not null,
  capture smallint not null,
  parser_version integer not null,
  -- Hashes of the terms that the word search within a channel finds the post by; null while nobody has analysed it.
  terms integer[],
  primary key (channel_id, number)
);

create table post_versions (
  channel_id integer not null,
  number integer not null,
  revision integer not null,
  captured_at bigint not null,
  text text,
  sha256 bytea not null,
  primary key (channel_id, number, revision)
);

-- Album members other than the post's own number.
create table post_members (
  channel_id integer not null,
  number integer not null,
  album integer not null,
  primary key (channel_id, number)
);

-- What authors did to posts after they were first seen: each replaced or deleted revision. `kinds` are bits. `views` are
-- those of the post, -1 where it shows none.
create table edits (
  channel_id integer not null,
  number integer not null,
  revision integer not null,
  at bigint not null,
  kinds smallint not null,
  views bigint not null default -1,
  named text,
  primary key (channel_id, number, revision)
) with (fillfactor = 80);
create index edits_by_time on edits (at, channel_id, number, revision);
create index edits_by_views on edits (views, channel_id, number, revision);
create index edits_of_channel_by_time on edits (channel_id, at, number, revision);
create index edits_of_channel_by_views on edits (channel_id, views, number, revision);

-- Posts that say the same. Keys of texts lead to groups.
create sequence copy_group_ids as integer;
create table copy_groups (
  id integer primary key,
  sketch bytea not null
);
create table copy_keys (
  key bigint primary key,
  group_id integer not null
);
create index copy_keys_of_group on copy_keys (group_id);
create table copies (
  channel_id integer not null,
  number integer not null,
  group_id integer not null,
  sec bigint not null,
  print bigint not null,
  primary key (channel_id, number)
);
create index copies_of_group on copies (group_id, sec, channel_id, number);
create index copies_by_time on copies (sec);

-- ## Pictures

-- Which post has which picture. The bytes are files, named by their hash.
create table pictures (
  channel_id integer not null,
  number integer not null,
  slot smallint not null,
  name text collate "C" not null,
  sha256 bytea,
  tries smallint not null default 0,
  -- Null when it is not asked for at present.
  due_at bigint,
  is_refused boolean not null default false,
  primary key (channel_id, number, slot)
);
create index pictures_due on pictures (due_at) where due_at is not null;
create index pictures_by_file on pictures (sha256) where sha256 is not null;
create index pictures_missing on pictures (channel_id) where due_at is null and sha256 is null;

create table picture_files (
  sha256 bytea primary key,
  type text not null,
  bytes integer not null,
  width integer not null,
  height integer not null,
  kept_at bigint not null
);

-- Hashes that some picture has lost: where no other has them, their files go.
create table loose_files (sha256 bytea primary key);

create table picture_days (day integer primary key, bytes bigint not null);

-- ## Crawling

create table schedules (
  channel_id integer primary key,
  next_visit_at bigint not null,
  earliest_visit_at bigint not null,
  last_visit_at bigint,
  seen double precision not null,
  exposure_days double precision not null,
  seen_fast double precision not null,
  exposure_fast_days double precision not null,
  fails integer not null,
  last_failure text collate "C",
  demand double precision not null,
  newest_number integer,
  refreshed_at bigint,
  -- What a visit saw and did not yet believe, and when it first did: it takes a second read, also after a restart.
  doubt text,
  doubted_at bigint,
  -- Came in since the last lease; the next one hands it to the policy, which lets demand fade.
  fresh_demand double precision not null,
  -- Asked for since the last lease: the visit under way may have read before that, so its end does not undo it.
  hastened_at bigint,
  lease_owner text collate "C",
  lease_token integer not null,
  lease_until bigint not null,
  -- When somebody may lease it; those that are leased do not stand at the head of the index.
  due_at bigint not null generated always as
    (case when lease_owner is null then next_visit_at else greatest(next_visit_at, lease_until) end) stored,
  early_at bigint not null generated always as
    (case when lease_owner is null then earliest_visit_at else greatest(earliest_visit_at, lease_until) end) stored,
  -- How far down a channel was walked page by page; 1: to its first post.
  walked_to integer
) with (fillfactor = 70);
create index schedules_due on schedules (due_at, next_visit_at, channel_id);
create index schedules_early on schedules (early_at, earliest_visit_at, channel_id);

create table gaps (
  id bigint generated always as identity primary key,
  channel_id integer not null,
  kind text collate "C" not null,
  before_number integer not null,
  down_to integer not null,
  until bigint,
  -- The lease whose holder knows of this gap and may replace it; null while none does.
  lease_token integer
);
create index gaps_by_channel on gaps (channel_id);

-- Which channel named which, and how.
create table sightings (
  source_id integer not null,
  name_key text collate "C" not null,
  how text collate "C" not null,
  at bigint not null,
  primary key (source_id, name_key, how)
);
-- A name is forgotten with everyone who named it.
create index sightings_by_name on sightings (name_key);

create table candidates (
  name_key text collate "C" primary key,
  name text not null,
  gain double precision not null,
  sources integer not null,
  first_seen_at bigint not null,
  decided_until bigint not null default 0
);
create index candidates_best on candidates (gain desc, name_key);

-- ## Removals

-- The opt-out register.
create table {ledger}.removals (
  name_key text collate "C" not null,
  -- 0: the whole channel.
  number integer not null,
  platform_id bigint,
  members text not null,
  reason text not null,
  removed_at bigint not null,
  primary key (name_key, number)
);
create index removals_by_platform_id on {ledger}.removals (platform_id) where platform_id is not null;

-- Channels whose posts are still being erased, piece by piece. Two rows may turn out to be one channel: the posts of the one go
-- over to the other, its heir, while they are erased.
create table erasures (
  channel_id integer primary key,
  heir integer,
  begun_at bigint not null
);

-- ## Counts: kept as things change, so that no answer has to count

create table channel_hours (
  channel_id integer not null,
  hour integer not null,
  posts integer not null,
  -- Every post of that hour lies between them, counted or not; they never shrink.
  first_number integer not null,
  last_number integer not null,
  primary key (channel_id, hour)
);
create index channel_hours_by_hour on channel_hours (hour, channel_id);

-- Hashtags, hosts of links, and names that are forwarded from or mentioned.
create table channel_features (
  channel_id integer not null,
  kind smallint not null,
  value text collate "C" not null,
  posts integer not null,
  primary key (channel_id, kind, value)
);
create index channel_features_top on channel_features (channel_id, kind, posts desc, value);
create index channel_features_who on channel_features (value, kind, posts desc, channel_id) where kind >= 3;

create table channel_languages (
  channel_id integer not null,
  code text collate "C" not null,
  posts integer not null,
  weight bigint not null,
  primary key (channel_id, code)
);

-- Sums over all channels are kept in slots, one for each of many writers, so that none waits for another: they are added
-- up when read.
create table language_days (
  code text collate "C" not null,
  day integer not null,
  slot smallint not null,
  posts bigint not null,
  primary key (code, day, slot)
);

create table totals (
  name text collate "C" not null,
  slot smallint not null,
  value bigint not null,
  primary key (name, slot)
) with (fillfactor = 50);

create function own_slot() returns smallint language sql stable as $$
  select (pg_backend_pid() % 64)::smallint
$$;

create function count_total(counted text, change integer) returns void language sql as $$
  insert into totals values (counted, own_slot(), change)
    on conflict (name, slot) do update set value = totals.value + excluded.value
$$;

create function count_channel() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or old.status <> new.status) then
    perform count_total('channels/' || new.status, 1);
  end if;
  if tg_op <> 'INSERT' and (tg_op = 'DELETE' or old.status <> new.status) then
    perform count_total('channels/' || old.status, -1);
  end if;
  if tg_op <> 'DELETE' and new.language is not null
    and (tg_op = 'INSERT' or old.language is distinct from new.language) then
    perform count_total('language/' || new.language, 1);
  end if;
  if tg_op <> 'INSERT' and old.language is not null
    and (tg_op = 'DELETE' or old.language is distinct from new.language) then
    perform count_total('language/' || old.language, -1);
  end if;
  return null;
end $$;
create trigger channel_counted after insert or delete or update of status, language on channels
  for each row execute function count_channel();

-- Pictures are counted as they change, by statement, so that nobody has to go through all of them. Both sums of a table are
-- always written together: two writers in one slot must not wait for each other crosswise.
create function count_two(one text, change_one bigint, other text, change_other bigint) returns void language sql as $$
  insert into totals select name, own_slot(), change
    from (values (one, change_one), (other, change_other)) as v (name, change) order by name
    on conflict (name, slot) do update set value = totals.value + excluded.value
$$;

create function count_pictures() returns trigger language plpgsql as $$
declare
  missing bigint := 0;
  waiting bigint := 0;
  some_missing bigint;
  some_waiting bigint;
begin
  if tg_op <> 'DELETE' then
    select count(*) filter (where due_at is null and sha256 is null), count(due_at)
      into missing, waiting from added;
  end if;
  if tg_op <> 'INSERT' then
    select count(*) filter (where due_at is null and sha256 is null), count(due_at)
      into some_missing, some_waiting from gone;
    missing := missing - some_missing;
    waiting := waiting - some_waiting;
  end if;
  if missing <> 0 or waiting <> 0 then
    perform count_two('pictures/missing', missing, 'pictures/waiting', waiting);
  end if;
  return null;
end $$;
create trigger pictures_added after insert on pictures
  referencing new table as added for each statement execute function count_pictures();
create trigger pictures_moved after update on pictures
  referencing old table as gone new table as added for each statement execute function count_pictures();
create trigger pictures_removed after delete on pictures
  referencing old table as gone for each statement execute function count_pictures();

create function count_picture_files() returns trigger language plpgsql as $$
declare
  files bigint;
  size bigint;
begin
  if tg_op = 'INSERT' then
    select count(*), coalesce(sum(bytes), 0) into files, size from added;
  else
    select -count(*), -coalesce(sum(bytes), 0) into files, size from gone;
  end if;
  if files <> 0 then
    perform count_two('pictures/bytes', size, 'pictures/files', files);
  end if;
  return null;
end $$;
create trigger picture_files_added after insert on picture_files
  referencing new table as added for each statement execute function count_picture_files();
create trigger picture_files_removed after delete on picture_files
  referencing old table as gone for each statement execute function count_picture_files();

-- ## Who follows the archive

-- The consumer without a name holds what changes while nobody follows.
create table consumers (
  id integer generated by default as identity primary key,
  name text collate "C" not null unique,
  seen_at bigint not null,
  -- Whether it has to build what it derives from scratch. Kept here, since a process may end before it has begun to.
  rebuild text not null default 'none'
);
insert into consumers (name, seen_at) values ('', 0);

-- What each consumer has not been told. Rows come and go all the time.
create sequence change_seq;
create table changes (
  consumer integer not null,
  channel_id integer not null,
  number integer not null,
  seq bigint not null default nextval('change_seq'),
  what smallint not null,
  at bigint not null,
  claim text collate "C",
  claimed_until bigint not null default 0,
  -- It changed again since it was claimed.
  moved boolean not null default false,
  primary key (consumer, channel_id, number)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index changes_waiting on changes (consumer, seq);
create index changes_claimed on changes (claim) where claim is not null;
create index changes_of_channel on changes (channel_id);

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

-- ## Watches

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

-- Which post was told for which watch. Copies of a story are told once.
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
-- What was told long ago is forgotten, whichever watch it was told for.
create index told_by_age on told (at);

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
  failing_since bigint,
  primary key (watch_id, sink)
);
create index delivery_queues_due on delivery_queues (due_at);

-- ## Callers

create table {ledger}.keys (
  id text collate "C" primary key,
  name text,
  tier text not null,
  created_at bigint not null,
  revoked_at bigint,
  last_used_at bigint,
  secret_hashes text not null
);

create table {ledger}.usage (
  caller text collate "C" not null,
  policy text collate "C" not null,
  started_at bigint not null,
  ends_at bigint not null,
  used bigint not null,
  primary key (caller, policy)
) with (fillfactor = 70);
create index usage_by_end on {ledger}.usage (ends_at);

-- ## Requests to the platform

create table {ledger}.budget (
  id integer primary key check (id = 1),
  tokens double precision not null,
  updated_at bigint not null,
  pace double precision not null,
  pace_at bigint not null,
  paused_until bigint not null
) with (fillfactor = 20);

create table {ledger}.budget_minutes (
  minute bigint primary key,
  granted integer not null,
  live integer not null
);

-- What requests beyond regular visits have saved up, shared by all processes, and how many there were lately.
create table {ledger}.reserve (
  id integer primary key check (id = 1),
  credits double precision not null,
  used double precision not null,
  updated_at bigint not null
) with (fillfactor = 20);

-- ## Processes

-- Work that one process does for all: who does it, until when, and how often it was taken.
create table {ledger}.roles (
  name text collate "C" primary key,
  owner text,
  token integer not null,
  until bigint not null
);
