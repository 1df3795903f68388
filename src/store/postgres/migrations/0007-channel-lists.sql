-- suits 6
-- Lists of channels that few are like: those in a rare language or state, and those with a mark, are found by it.
create index channels_by_language on channels (language, id);
create index channels_by_status on channels (status, id);
create index channels_verified on channels (id) where verified;
