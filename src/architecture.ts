/**
 * Which folder may import which. This table is the picture in ARCHITECTURE.md: `architecture.test.ts` holds the code
 * to it, `docs.test.ts` the document. The frame (`app.ts`, `main.ts`, `config.ts`) may import every folder.
 */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  model: [],
  text: ['model'],
  telegram: ['model', 'text'],
  store: ['model', 'text'],
  search: ['model', 'text'],
  evidence: ['model'],
  crawl: ['model', 'text', 'telegram', 'store'],
  indexing: ['model', 'text', 'store', 'search'],
  follow: ['model', 'store', 'search'],
  access: ['model', 'store'],
  operations: [
    'model',
    'text',
    'telegram',
    'store',
    'search',
    'crawl',
    'follow',
    'access',
    'evidence',
  ],
  watch: ['model', 'text', 'store', 'search', 'operations'],
  client: ['model', 'operations'],
  http: ['model', 'text', 'access', 'operations', 'mcp', 'web'],
  mcp: ['model', 'text', 'access', 'operations'],
  web: ['model', 'text', 'access', 'operations'],
  simulator: ['model', 'text'],
  observe: ['model'],
  cli: [
    'model',
    'text',
    'telegram',
    'store',
    'search',
    'crawl',
    'indexing',
    'access',
    'evidence',
    'operations',
    'watch',
    'client',
    'http',
    'mcp',
    'observe',
    'simulator',
    'frame',
  ],
}

/** What of a seam any other folder may import: its ports, never an adapter. */
export const PORTS: Readonly<Record<string, readonly string[]>> = {
  telegram: ['source.ts', 'desktop-export.ts'],
  store: [
    'store.ts',
    'archive.ts',
    'changes.ts',
    'deliveries.ts',
    'events.ts',
    'edits.ts',
    'file-store.ts',
    'frontier.ts',
    'groups.ts',
    'ledger.ts',
    'live-pages.ts',
    'pictures.ts',
    'budget.ts',
    'removals.ts',
    'roles.ts',
    'watches.ts',
    'terms.ts',
    'owner.ts',
    'open-store.ts',
    'store-location.ts',
    'move/move-store.ts',
    'move/compare-stores.ts',
  ],
  search: [
    'search-index.ts',
    'open-search-index.ts',
    'index-location.ts',
    'document-codec.ts',
    'percolator/percolator.ts',
  ],
}

/** What else of a seam the frame puts together. */
export const WIRED: Readonly<Record<string, readonly string[]>> = {
  telegram: ['web-source.ts'],
  search: ['share-answers.ts'],
}

/** Where each library is at home. */
export const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  '@hono/node-server': ['http'],
  '@modelcontextprotocol/server': ['mcp'],
  '@orama/stemmers': ['text'],
  'fast-check': ['store/contract'],
  'fasttext.wasm.js': ['language-model.ts'],
  hono: ['http', 'web', 'mcp'],
  htmlparser2: ['telegram'],
  nodemailer: ['watch'],
  'opencc-js': ['text'],
  pino: ['observe'],
  postgres: ['store/postgres'],
  'prom-client': ['observe'],
  undici: ['telegram', 'search/opensearch', 'watch'],
  zod: ['config.ts', 'variables.ts', 'operations', 'mcp', 'http', 'web', 'access', 'watch'],
}
