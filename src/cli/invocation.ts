/** How the reader of a hint runs Telegrep: the package installs a command, a checkout has none. */
export const TELEGREP = import.meta.url.endsWith('.ts')
  ? 'npm run --silent telegrep --'
  : 'telegrep'
