import { readFileSync, readdirSync } from 'node:fs'

export interface Migration {
  readonly version: number
  readonly sql: string
}

/** The numbered files of a folder, in order: `0001-init.sql`, or `ledger-0001-init.sql` for the prefix `ledger-`. */
export function numberedMigrations(folder: URL, prefix = ''): readonly Migration[] {
  const pattern = new RegExp(`^${prefix}(\\d{4})-.*\\.sql$`)
  const found = readdirSync(folder)
    .toSorted()
    .flatMap((file) => {
      const version = pattern.exec(file)?.[1]
      if (version === undefined) return []
      return [{ version: Number(version), sql: readFileSync(new URL(file, folder), 'utf8') }]
    })
  for (const [i, { version }] of found.entries()) {
    if (version !== i + 1)
      throw new Error(`migration ${version} is not the ${i + 1}th: one is missing or there twice`)
  }
  return found
}
