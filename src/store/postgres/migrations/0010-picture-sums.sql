-- suits 6
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

-- The triggers hold writers off until this is done.
insert into totals
  select 'pictures/missing', 0, count(*) filter (where due_at is null and sha256 is null) from pictures
  union all select 'pictures/waiting', 0, count(due_at) from pictures
  union all select 'pictures/files', 0, count(*) from picture_files
  union all select 'pictures/bytes', 0, coalesce(sum(bytes), 0) from picture_files;
