/**
 * The size of a semi-space of the young generation, in megabytes. By default it is 1 MB, which one page of hits fills. Only
 * a starting process takes it, so it stands where a service is started: in `package.json`, the Dockerfile and the unit file.
 */
export const V8_AT_START = '--min-semi-space-size=8'
