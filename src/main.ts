#!/usr/bin/env node
import { keepCompiled } from './keep-compiled.ts'
import { beginWithV8Flags, setV8Flags } from './v8-settings.ts'

// The package brings no Node along, as a checkout does. What stands above must load on an old one, too.
if (Number(process.version.slice(1).split('.')[0]) < 24) {
  process.stderr.write(`telegrep: expected Node 24 or later, found ${process.version}\n`)
  process.exit(1)
}
const command = process.argv[2]
// What is written is for its owner alone: archive, keys, secret, compiled code.
process.umask(0o077)
// What is loaded from here on is kept. Hence the late import below.
const compiled = keepCompiled(command)
if (command === 'serve') {
  // Begun anew, it has it at hand from the first file on.
  if (compiled !== undefined) process.env['NODE_COMPILE_CACHE'] ??= compiled
  // What runs for long is worth the few milliseconds of beginning twice.
  beginWithV8Flags()
}

/** A second Ctrl-C, or a shutdown that takes longer than this, ends the process at once. */
const LAST_RESORT_MS = 9_500

/** npm hands a signal on that its whole group was sent, as by a terminal or by systemd: then it comes twice and means one. */
const SAME_MS = 1_000

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

const stop = new AbortController()
let stoppedSince = 0
// A terminal that is closed sends SIGHUP. Under nohup, too, it would end a Node process, which forgets what was ignored before it.
for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    const exitCode = EXIT_CODES[name]
    if (stop.signal.aborted) {
      if (performance.now() - stoppedSince > SAME_MS) process.exit(exitCode)
      return
    }
    stoppedSince = performance.now()
    stop.abort(new Error(`stopped by ${name}`))
    setTimeout(() => process.exit(exitCode), LAST_RESORT_MS).unref()
  })
}
// A reader that goes away (`telegrep search x | head -1`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  // The terminal was closed: what was begun is ended all the same.
  if (stop.signal.aborted) return
  process.stderr.write(`telegrep: what was found cannot be written: ${error.message}\n`)
  process.exit(1)
})
// What cannot be told, because a disk is full or nobody reads it, is no reason to end a service.
process.stderr.on('error', () => {})

setV8Flags()

const { runCli } = await import('./cli/cli.ts')
process.exitCode = await runCli(process.argv.slice(2), process.env, stop.signal)
