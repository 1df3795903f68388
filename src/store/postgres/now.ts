/**
 * The argument that statements pass to `clock_ms`. Null, so that the database's own clock decides for all processes, whatever
 * their hosts' clocks say; a time when a test supplies its own clock.
 */
export type Now = () => number | null
