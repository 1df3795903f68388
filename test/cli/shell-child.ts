import { runCli } from '../../src/cli/cli.ts'

/** Runs the command lines it is sent, and replies with the output of each. */
process.umask(0o077)
process.on('message', (argv: string[]) => void run(argv))

async function run(argv: readonly string[]): Promise<void> {
  const written = { stdout: '', stderr: '' }
  const into = (name: 'stdout' | 'stderr') => ({
    write: (text: string | Uint8Array) => ((written[name] += String(text)), true),
    columns: 0,
    isTTY: false as const,
  })
  const streams = { stdout: into('stdout'), stderr: into('stderr') }
  const code = await runCli(argv, process.env, new AbortController().signal, streams as never)
  process.send!({ code, ...written })
}
