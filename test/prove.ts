import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { scriptHelp } from './script-help.ts'

/**
 * Runs the long suites: fuzzing, kill loops, load, soak. Each is a script `test/prove/<name>.prove.ts` that prints what it
 * did and exits with a code other than 0 when a promise was broken. Arguments after `--` go to the script; with `--help` it
 * is not run, but explained.
 */
const folder = join(import.meta.dirname, 'prove')
const names = globSync('*.prove.ts', { cwd: folder })
  .map((file) => basename(file, '.prove.ts'))
  .toSorted()

const args = process.argv.slice(2)
const split = args.indexOf('--')
const chosen = split < 0 ? args : args.slice(0, split)
const wanted = chosen.length > 0 ? chosen : names
const rest = split < 0 ? [] : args.slice(split + 1)

if (chosen.includes('--help')) {
  console.log(`npm run prove [-- <name>… [-- <arguments>]]\n\nsuites: ${names.join(', ')}`)
} else {
  const unknown = chosen.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    console.error(`there is no suite ${unknown.join(', ')}; there are ${names.join(', ')}`)
    process.exitCode = 2
  } else if (rest.includes('--help')) {
    for (const name of wanted) console.log(`${name}: ${scriptHelp(scriptOf(name))}\n`)
  } else {
    const failed: string[] = []
    for (const name of wanted) {
      console.log(`\n── ${name}`)
      const started = Date.now()
      const code = await run(scriptOf(name), rest)
      console.log(
        `── ${name}: ${code === 0 ? 'held' : `broken (exit ${code})`} in ${Math.round((Date.now() - started) / 1000)} s`,
      )
      if (code !== 0) failed.push(name)
    }
    if (failed.length > 0) console.error(`\nbroken: ${failed.join(', ')}`)
    process.exitCode = failed.length === 0 ? 0 : 1
  }
}

function scriptOf(name: string): string {
  return join(folder, `${name}.prove.ts`)
}

function run(script: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' })
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
}
