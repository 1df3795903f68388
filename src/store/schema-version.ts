/** The version of the schemas of both databases: raised with each release that changes one. None below it was ever released. */
export const SCHEMA_VERSION = 100

/** Why a store that another version made is not opened; it is left as it is. */
export function otherSchema(store: string, version: number): string {
  return (
    `${store} has schema ${version}, this version of telegrep works with schema ${SCHEMA_VERSION}: use the version that made it, ` +
    `or \`telegrep export\` with that one and \`telegrep import\` into a new store with this one`
  )
}
