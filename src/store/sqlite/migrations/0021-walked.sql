-- How far down a channel was walked; 1: to its first post. Before, that was taken from the oldest post, wherever it came from. Of
-- what is there only posts above the last that a live read or a file brought are known to have been walked.
alter table schedules add column walked_to integer;
update schedules set walked_to = found.walked_to
  from (select c.id, iif(b.top is null and c.reached_start = 1, 1, (select min(p.key) % 67108864 from posts p
      where p.key > coalesce(b.top, c.id * 67108864) and p.key < (c.id + 1) * 67108864)) as walked_to
    from channels c left join (select key / 67108864 as id, max(key) as top from post_bodies where capture <> 0 group by 1) b
      on b.id = c.id) as found
  where found.id = schedules.channel_id and newest_number is not null;
alter table channels drop column reached_start;
