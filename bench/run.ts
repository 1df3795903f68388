import { spawn } from 'node:child_process'
import { globSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { scriptHelp } from '../test/script-help.ts'

/**
 * Runs benchmarks one after another, each in a process of its own so that none warms or slows the next. Each prints its
 * table and writes `bench/results/<name>.json`. Arguments after `--` go to the script; with
 * `--help` it is not run, but explained.
 */
const names = globSync('*.bench.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.bench.ts'))
  .toSorted()
const args = process.argv.slice(2)
const split = args.indexOf('--')
const chosen = split < 0 ? args : args.slice(0, split)
const wanted = chosen.length > 0 ? chosen : names
const rest = split < 0 ? [] : args.slice(split + 1)

if (chosen.includes('--help') || chosen.some((name) => !names.includes(name))) {
  console.log(`npm run bench [-- <name>… [-- <arguments>]]\n\nbenchmarks: ${names.join(', ')}`)
  process.exitCode = chosen.includes('--help') ? 0 : 2
} else if (rest.includes('--help')) {
  for (const name of wanted) console.log(`${name}: ${scriptHelp(scriptOf(name))}\n`)
} else {
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
  for (const name of wanted) {
    console.log(`\n── ${name}`)
    const args = ['--expose-gc', scriptOf(name), ...rest]
    const child = spawn(process.execPath, args, { stdio: 'inherit' })
    const code = await new Promise((resolve) => child.on('exit', resolve))
    if (code !== 0) process.exitCode = 1
  }
}

function scriptOf(name: string): string {
  return join(import.meta.dirname, `${name}.bench.ts`)
}
