/**
 * Loaded before every test: what was compiled once is not compiled again. Not TypeScript, since loading what makes JavaScript
 * of that is half of what it saves. The processes a test starts have a folder of their own: they run under other flags, and
 * what was compiled under those is of no use here.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
