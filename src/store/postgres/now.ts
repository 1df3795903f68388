/**
 * What statements give to `clock_ms`: null, so that the database's own clock decides for all processes, whatever their
 * hosts think; a moment where a test brings its clock.
 */
export type Now = () => number | null
