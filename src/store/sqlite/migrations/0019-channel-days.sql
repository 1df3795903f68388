-- What the last reading of each UTC day saw of a channel.
create table channel_days (
  channel_id integer not null,
  day integer not null,
  subscribers integer,
  views integer,
  primary key (channel_id, day)
) strict, without rowid;
