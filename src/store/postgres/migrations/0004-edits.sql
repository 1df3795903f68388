-- What authors did to posts after they were first seen: each replaced or deleted revision. `kinds` are bits; none until what was
-- written before is classified. `views` are those of the post, -1 where it shows none.
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
create index edits_unclassified on edits (channel_id) where kinds = 0;

-- When an earlier version was replaced is not known, only when it was last seen.
insert into edits (channel_id, number, revision, at, kinds, views)
  select v.channel_id, v.number, v.revision, v.captured_at, 0, coalesce(p.views, -1)
  from post_versions v join posts p on p.channel_id = v.channel_id and p.number = v.number;
insert into edits (channel_id, number, revision, at, kinds, views)
  select channel_id, number, revision, deleted_at, 64, coalesce(views, -1) from posts where deleted_at is not null
  on conflict do nothing;
