-- A post's key is channel_id * 2^26 + number, so that a channel's posts are one range in either order.

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
  reached_start integer not null default 0,
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

create table channel_words (
  channel_id integer primary key,
  name text not null,
  title text not null,
  description text not null
) strict;

-- Whom a name means: the last channel seen to show it. What it showed before stays an alias until another shows it.
create table channel_names (
  name_key text primary key,
  name text not null,
  channel_id integer not null,
  learnt_at integer not null
) strict, without rowid;
create index channel_names_by_channel on channel_names (channel_id, learnt_at);

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

create table post_versions (
  key integer not null,
  revision integer not null,
  captured_at integer not null,
  text text,
  sha256 blob not null,
  primary key (key, revision)
) strict, without rowid;

-- Album members other than the post's own number.
create table post_members (
  key integer primary key,
  post_key integer not null
) strict;

-- Every byte but control characters and space is part of a term: terms are made by our own analyzer.
create virtual table post_terms using fts5 (
  terms,
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = 'ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'''
);

-- What the index has not been told. The key of a channel's own change is its range's first: number 0.
create table changes (
  seq integer primary key autoincrement,
  key integer not null unique,
  what integer not null,
  at integer not null,
  version integer not null default 1,
  claim text,
  claimed_until integer not null default 0
) strict;

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
insert into totals values ('posts', 0);

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
  lease_until integer not null default 0
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

create table sightings (
  source_id integer not null,
  name_key text not null,
  how text not null,
  at integer not null,
  primary key (source_id, name_key, how)
) strict, without rowid;

create table candidates (
  name_key text primary key,
  name text not null,
  gain real not null,
  sources integer not null,
  first_seen_at integer not null,
  decided_until integer not null default 0
) strict, without rowid;
create index candidates_best on candidates (gain desc, name_key);

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

-- Channels whose posts are still being erased, piece by piece.
create table erasures (
  channel_id integer primary key
) strict;
