import { execSync } from 'node:child_process'
import { cpSync, globSync, rmSync } from 'node:fs'

/** Makes `dist/` for the package: Node does not strip types below node_modules. */
rmSync('dist', { recursive: true, force: true })
execSync('tsc -p tsconfig.build.json', { stdio: 'inherit' })
// What is no TypeScript but read at run time: schemas, style sheets, scripts, XML, recorded replies.
for (const file of globSync('src/**/*.{sql,css,js,xml,json}'))
  cpSync(file, file.replace(/^src/, 'dist'))
