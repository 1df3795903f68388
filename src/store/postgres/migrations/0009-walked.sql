-- suits 6
-- How far down a channel was walked; 1: to its first post. Before, that was taken from the oldest post, wherever it came from. Of
-- what is there only posts above the last that a live read or a file brought are known to have been walked. They are looked for first:
-- whoever runs the version before need not wait so long.
create temporary table walked on commit drop as
  select c.id, case when b.top is null and c.reached_start then 1 else (select min(p.number) from posts p
      where p.channel_id = c.id and p.number > coalesce(b.top, 0)) end as walked_to
    from channels c left join (select channel_id, max(number) as top from post_bodies where capture <> 0 group by 1) b
      on b.channel_id = c.id;
alter table schedules add column walked_to integer;
update schedules set walked_to = walked.walked_to from walked where walked.id = schedules.channel_id and newest_number is not null;
-- The version before still writes it.
alter table channels alter column reached_start set default false;
