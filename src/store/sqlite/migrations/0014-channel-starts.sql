-- Channels by the beginnings of their words. Written with `channel_words`; for channels of before, by the recount.
create table channel_starts (
  start text not null,
  channel_id integer not null,
  primary key (start, channel_id)
) strict, without rowid;
