/**
 * Loaded before every test, so that nothing is compiled twice. Not TypeScript itself, because loading the type stripper
 * would cost half of what this saves. Processes that a test starts have a folder of their own: they run under other flags,
 * and code compiled under those is of no use here.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
