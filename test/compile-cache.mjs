/**
 * Loaded before every test: what was compiled once is not compiled again, here or in the processes a test starts. Not
 * TypeScript, since loading what makes JavaScript of that is half of what it saves.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const { directory } = enableCompileCache(folder)
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory
