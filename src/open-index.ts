import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Clock } from './model/clock.ts'
import { openSearchIndex } from './search/open-search-index.ts'
import type { SearchIndex } from './search/search-index.ts'

/** The index of the data folder. Apart from `app.ts`, so that its threads can load while the rest of the program does. */
export function openIndex(config: Config, clock: Clock): Promise<SearchIndex> {
  return openSearchIndex({ kind: 'embedded', folder: indexFolder(config) }, clock)
}

export function indexFolder(config: Config): string {
  return join(config.dataFolder, 'index')
}
