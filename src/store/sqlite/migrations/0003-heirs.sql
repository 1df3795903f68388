-- Two rows may turn out to be one channel: the posts of the one go over to the other, its heir, while they are erased.
alter table erasures add column heir integer;
alter table erasures add column begun_at integer not null default 0;
