-- Whether a consumer has to build what it derives from scratch. Kept here, since a process may end before it has begun to.
alter table consumers add column rebuild text not null default 'none';
