-- The archive: all that a backup holds and a restore replaces. Times are milliseconds; days, hours and minutes are counted from 1970.
-- A post's key is channel_id * 2^26 + number, so that a channel's posts are one range in either order; number 0 is the channel itself.

-- ## Channels

create table channels (
  id integer primary key autoincrement,
  platform_id integer unique,
  username text not null,
  name_key text not null,
  title text not null,
  description text not null,
  avatar_url text,
  verified integer not null,
  subscribers integer not null,
  counts text not null,
  status text not null,
  reason text,
  language text,
  added_at integer not null,
  last_visited_at integer,
  posts integer not null default 0,
  first_post_at integer,
  last_post_at integer,
  posts_per_day real not null default 0
) strict;
create index channels_by_subscribers on channels (subscribers desc, id);
create index channels_by_pace on channels (posts_per_day desc, id);
create index channels_by_newest on channels (coalesce(last_post_at, -1) desc, id);
create index channels_by_added on channels (added_at desc, id);
create index channels_by_name on channels (name_key, id);
create index channels_by_status on channels (status);
create index channels_by_oldest on channels (first_post_at);
create index channels_by_language on channels (language);

-- Their words as the analyzer folds them.
create table channel_words (
  channel_id integer primary key,
  name text not null,
  title text not null,
  description text not null
) strict;

-- Channels by the beginnings of those words. Written with them.
create table channel_starts (
  start text not null,
  channel_id integer not null,
  primary key (start, channel_id)
) strict, without rowid;

-- Whom a name means: the last channel seen to show it. What it showed before stays an alias until another shows it.
create table channel_names (
  name_key text primary key,
  name text not null,
  channel_id integer not null,
  learnt_at integer not null
) strict, without rowid;
create index channel_names_by_channel on channel_names (channel_id, learnt_at);

-- What the last reading of each UTC day saw of a channel.
create table channel_days (
  channel_id integer not null,
  day integer not null,
  subscribers integer,
  views integer,
  primary key (channel_id, day)
) strict, without rowid;

-- ## Posts

-- What filters, listings and counters need, narrow: a view count rewrites this row and no text.
create table posts (
  key integer primary key,
  published_at integer not null,
  flags integer not null,
  revision integer not null,
  last_captured_at integer not null,
  deleted_at integer,
  views integer,
  counts text,
  language text,
  detected_language text,
  language_weight integer not null default 0
) strict;

create table post_bodies (
  key integer primary key,
  text text not null,
  rest text,
  sha256 blob not null,
  first_captured_at integer not null,
  capture integer not null,
  parser_version integer not null
) strict;

-- Album members other than the post's own number.
create table post_members (
  key integer primary key,
  post_key integer not null
) strict;

create table post_versions (
  key integer not null,
  revision integer not null,
  captured_at integer not null,
  text text,
  sha256 blob not null,
  primary key (key, revision)
) strict, without rowid;

-- What authors did to posts after they were first seen: each replaced or deleted revision. `kinds` are bits. `views` are
-- those of the post, -1 where it shows none.
create table edits (
  key integer not null,
  revision integer not null,
  channel_id integer not null,
  at integer not null,
  kinds integer not null,
  views integer not null default -1,
  named text,
  primary key (key, revision)
) strict, without rowid;
create index edits_by_time on edits (at, key, revision);
create index edits_by_views on edits (views, key, revision);
create index edits_of_channel_by_time on edits (channel_id, at, key, revision);
create index edits_of_channel_by_views on edits (channel_id, views, key, revision);

-- Words within a channel are found by hashes of their terms. A post without a row has not been analysed since: its text is read instead.
create table post_hashes (
  key integer primary key,
  hashes blob not null
) strict;

-- Posts that say the same. Keys of texts lead to groups; `linked` are those that lead to this one.
create table copy_groups (
  id integer primary key autoincrement,
  sketch blob not null,
  linked blob not null
) strict;
create table copy_keys (
  key integer primary key,
  group_id integer not null
) strict;
create table copies (
  key integer primary key,
  group_id integer not null,
  sec integer not null,
  print integer not null
) strict;
create index copies_of_group on copies (group_id, sec, key);
create index copies_by_time on copies (sec);

-- ## Pictures

-- Which post has which picture. The bytes are files, named by their hash.
create table pictures (
  key integer not null,
  slot integer not null,
  name text not null,
  sha256 blob,
  tries integer not null default 0,
  -- Null when it is not asked for at present.
  due_at integer,
  is_refused integer not null default 0,
  primary key (key, slot)
) strict, without rowid;
create index pictures_due on pictures (due_at) where due_at is not null;
create index pictures_by_file on pictures (sha256) where sha256 is not null;

create table picture_files (
  sha256 blob primary key,
  type text not null,
  bytes integer not null,
  width integer not null,
  height integer not null,
  kept_at integer not null
) strict, without rowid;

-- Hashes that some picture has lost: where no other has them, their files go.
create table loose_files (sha256 blob primary key) strict, without rowid;

create table picture_days (day integer primary key, bytes integer not null) strict;

-- ## Crawling

create table schedules (
  channel_id integer primary key,
  next_visit_at integer not null,
  earliest_visit_at integer not null,
  last_visit_at integer,
  seen real not null,
  exposure_days real not null,
  seen_fast real not null,
  exposure_fast_days real not null,
  fails integer not null,
  last_failure text,
  demand real not null,
  -- Came in since the last lease; the next one hands it to the policy, which lets demand fade.
  fresh_demand real not null default 0,
  newest_number integer,
  refreshed_at integer,
  lease_owner text,
  lease_token integer not null default 0,
  lease_until integer not null default 0,
  -- Asked for since the last lease: the visit under way may have read before that, so its end does not undo it.
  hastened_at integer,
  -- What a visit saw and did not yet believe, and when it first did: it takes a second read, also after a restart.
  doubt text,
  doubted_at integer,
  -- How far down a channel was walked page by page; 1: to its first post.
  walked_to integer
) strict;
create index schedules_due on schedules (next_visit_at);
create index schedules_early on schedules (earliest_visit_at);
create index schedules_leased on schedules (lease_owner) where lease_owner is not null;

create table gaps (
  id integer primary key autoincrement,
  channel_id integer not null,
  kind text not null,
  before_number integer not null,
  down_to integer not null,
  until integer,
  -- The lease whose holder knows of this gap and may replace it; null while none does.
  lease_token integer
) strict;
create index gaps_by_channel on gaps (channel_id);

-- Which channel named which, and how.
create table sightings (
  source_id integer not null,
  name_key text not null,
  how text not null,
  at integer not null,
  primary key (source_id, name_key, how)
) strict, without rowid;
-- A name is forgotten with everyone who named it.
create index sightings_by_name on sightings (name_key);

create table candidates (
  name_key text primary key,
  name text not null,
  gain real not null,
  sources integer not null,
  first_seen_at integer not null,
  decided_until integer not null default 0
) strict, without rowid;
create index candidates_best on candidates (gain desc, name_key);
-- Candidates that more than one channel named: of a million names they are few, and only they are ever tried.
create index candidates_named on candidates (gain desc, name_key) where sources >= 2;

-- ## Removals

-- The opt-out register. The ledger has a copy of it.
create table removals (
  name_key text not null,
  -- 0: the whole channel.
  number integer not null,
  platform_id integer,
  members text not null,
  reason text not null,
  removed_at integer not null,
  primary key (name_key, number)
) strict, without rowid;
create index removals_by_platform_id on removals (platform_id) where platform_id is not null;
create index removals_of_posts on removals (number) where number > 0;

-- Channels whose posts are still being erased, piece by piece. Two rows may turn out to be one channel: the posts of the one go
-- over to the other, its heir, while they are erased.
create table erasures (
  channel_id integer primary key,
  heir integer,
  begun_at integer not null default 0
) strict;

-- ## Counts: kept as things change, so that no answer has to count

create table channel_hours (
  channel_id integer not null,
  hour integer not null,
  posts integer not null,
  -- Every post of that hour lies between them, counted or not; they never shrink.
  first_number integer not null,
  last_number integer not null,
  primary key (channel_id, hour)
) strict, without rowid;
create index channel_hours_by_hour on channel_hours (hour, channel_id);

-- Hashtags, hosts of links, and names that are forwarded from or mentioned.
create table channel_features (
  channel_id integer not null,
  kind integer not null,
  value text not null,
  posts integer not null,
  primary key (channel_id, kind, value)
) strict, without rowid;
create index channel_features_top on channel_features (channel_id, kind, posts desc, value);
create index channel_features_who on channel_features (value, kind, posts desc, channel_id) where kind >= 3;

create table channel_languages (
  channel_id integer not null,
  code text not null,
  posts integer not null,
  weight integer not null,
  primary key (channel_id, code)
) strict, without rowid;

create table language_days (
  code text not null,
  day integer not null,
  posts integer not null,
  primary key (code, day)
) strict, without rowid;

create table totals (
  name text primary key,
  value integer not null
) strict, without rowid;
-- `removals` grows with each removal that takes something out, so that an index made before can be told.
insert into totals values ('posts', 0), ('removals', 0), ('schedules', 0),
  ('pictures/files', 0), ('pictures/bytes', 0), ('pictures/waiting', 0), ('pictures/missing', 0);

create trigger channel_added after insert on channels begin
  insert into totals values ('channels/' || new.status, 1) on conflict do update set value = value + 1;
end;
create trigger channel_removed after delete on channels begin
  update totals set value = value - 1 where name = 'channels/' || old.status;
end;
create trigger channel_moved after update of status on channels when old.status <> new.status begin
  update totals set value = value - 1 where name = 'channels/' || old.status;
  insert into totals values ('channels/' || new.status, 1) on conflict do update set value = value + 1;
end;

create trigger channel_language_added after insert on channels when new.language is not null begin
  insert into totals values ('languages/' || new.language, 1) on conflict do update set value = value + 1;
end;
create trigger channel_language_removed after delete on channels when old.language is not null begin
  update totals set value = value - 1 where name = 'languages/' || old.language;
end;
create trigger channel_language_moved after update of language on channels when old.language is not new.language begin
  update totals set value = value - 1 where name = 'languages/' || old.language;
  insert into totals select 'languages/' || new.language, 1 where new.language is not null
    on conflict do update set value = value + 1;
end;

create trigger schedule_added after insert on schedules begin
  update totals set value = value + 1 where name = 'schedules';
end;
create trigger schedule_removed after delete on schedules begin
  update totals set value = value - 1 where name = 'schedules';
end;

create trigger picture_file_added after insert on picture_files begin
  update totals set value = value + 1 where name = 'pictures/files';
  update totals set value = value + new.bytes where name = 'pictures/bytes';
end;
create trigger picture_file_removed after delete on picture_files begin
  update totals set value = value - 1 where name = 'pictures/files';
  update totals set value = value - old.bytes where name = 'pictures/bytes';
end;

create trigger picture_added after insert on pictures begin
  update totals set value = value + (new.due_at is not null) where name = 'pictures/waiting';
  update totals set value = value + (new.due_at is null and new.sha256 is null) where name = 'pictures/missing';
end;
create trigger picture_removed after delete on pictures begin
  update totals set value = value - (old.due_at is not null) where name = 'pictures/waiting';
  update totals set value = value - (old.due_at is null and old.sha256 is null) where name = 'pictures/missing';
end;
create trigger picture_moved after update on pictures begin
  update totals set value = value + (new.due_at is not null) - (old.due_at is not null) where name = 'pictures/waiting';
  update totals set value = value + (new.due_at is null and new.sha256 is null)
    - (old.due_at is null and old.sha256 is null) where name = 'pictures/missing';
end;

-- ## Who follows the archive

-- The consumer without a name holds what changes while nobody follows.
create table consumers (
  id integer primary key,
  name text not null unique,
  seen_at integer not null,
  -- Whether it has to build what it derives from scratch. Kept here, since a process may end before it has begun to.
  rebuild text not null default 'none'
) strict;
insert into consumers (id, name, seen_at) values (1, '', 0);

-- What each consumer has not been told.
create table changes (
  seq integer primary key autoincrement,
  key integer not null,
  consumer integer not null,
  what integer not null,
  at integer not null,
  claim text,
  claimed_until integer not null default 0,
  -- It changed again since it was claimed.
  moved integer not null default 0,
  unique (key, consumer)
) strict;
create index changes_waiting on changes (consumer, seq);
create index changes_claimed on changes (claim) where claim is not null;

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

-- ## Watches

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
insert into watch_position (id, revision) values (1, 0);

-- Which post was told for which watch. Copies of a story are told once.
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
  failing_since integer,
  primary key (watch_id, sink)
) strict, without rowid;
create index delivery_queues_due on delivery_queues (due_at);

-- ## Processes

-- Work that one process does for all: who does it, until when, and how often it was taken.
create table roles (
  name text primary key,
  owner text,
  token integer not null,
  until integer not null
) strict, without rowid;
