#!/usr/bin/env node
import { enableCompileCache } from './compile-cache.ts'
import { setV8Flags } from './v8-settings.ts'

// Unlike a checkout, the package does not bring its own Node. Everything imported above must also load on an old one.
if (Number(process.version.slice(1).split('.')[0]) < 24) {
  process.stderr.write(`telegrep: expected Node 24 or later, found ${process.version}\n`)
  process.exit(1)
}
// Archive, keys, secret and compiled code are for their owner alone.
process.umask(0o077)
// Everything loaded from here on is cached; hence the late import below.
enableCompileCache(process.argv[2])

/** A second Ctrl-C, or a shutdown that takes longer than this, ends the process at once. */
const LAST_RESORT_MS = 9_500

/**
 * A terminal or systemd signals the whole process group, and npm forwards the signal as well. Two signals within this time
 * are one.
 */
const SAME_MS = 1_000

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

const stop = new AbortController()
let stoppedSince = 0
// A closed terminal sends SIGHUP. It would end a Node process even under nohup, because Node resets signals that were
// ignored.
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
// A reader that goes away (`telegrep search x | head -1`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  // The terminal was closed; the shutdown goes on.
  if (stop.signal.aborted) return
  process.stderr.write(`telegrep: what was found cannot be written: ${error.message}\n`)
  process.exit(1)
})
// A log that cannot be written, because the disk is full or nobody reads it, is no reason to end a service.
process.stderr.on('error', () => {})

setV8Flags()

const { runCli } = await import('./cli/cli.ts')
process.exitCode = await runCli(process.argv.slice(2), process.env, stop.signal)
