import { createApp } from '../../app.ts'
import { OperatorError } from '../../operator-error.ts'
import { serve } from '../../serve.ts'
import type { Running } from '../../serve.ts'
import { EXIT_CODES } from '../command.ts'
import type { Command, CommandCall, ExitCode } from '../command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'API, web page, crawler and indexer in one process',
  operands: '',
  flags: {
    'no-crawl': { type: 'boolean', meaning: 'answer only; another process crawls' },
    'no-api': { type: 'boolean', meaning: 'crawl and index only, as `crawl` does' },
  },
  examples: [
    { line: 'telegrep serve', does: 'on http://127.0.0.1:8080' },
    { line: 'telegrep serve --port 9000 --data ./elsewhere', does: 'elsewhere' },
    { line: 'telegrep serve --no-crawl', does: 'one more API process on the same data' },
  ],
  run: (call) =>
    runService(call, {
      api: call.flags['no-api'] !== true,
      crawl: call.flags['no-crawl'] !== true,
    }),
}

export const crawl: Command = {
  name: 'crawl',
  summary: 'crawler and indexer only',
  operands: '',
  flags: {},
  examples: [
    { line: 'telegrep crawl --crawl-rate 0.5', does: 'one request every two seconds' },
    { line: 'telegrep crawl & telegrep serve --no-crawl', does: 'crawler and API apart' },
  ],
  run: (call) => runService(call, { api: false, crawl: true }),
}

async function runService(
  call: CommandCall,
  parts: { api: boolean; crawl: boolean },
): Promise<ExitCode> {
  await using app = await createApp(call.config, call.secrets)
  try {
    await serve(app, { ...parts, onReady: (running) => tellReady(call, running) }, call.signal)
  } catch (error) {
    throw portInUse(error, call) ?? error
  }
  return EXIT_CODES.ok.code
}

function tellReady({ print, json }: CommandCall, running: Running): void {
  const { address, adminAddress, channels, crawling } = running
  if (json) {
    print.json({ address, admin_address: adminAddress, crawling, channels })
    return
  }
  if (address !== null) {
    print.note(`Telegrep answers on ${print.style.bold(address)} (API reference: ${address}/docs)`)
  } else print.note('Telegrep crawls and indexes; Ctrl-C ends it.')
  if (adminAddress !== null) print.note(`Metrics are on ${adminAddress}/metrics`)
  if (channels > 0 || !crawling) return
  print.note('No channel is indexed yet. To get posts, in another terminal:')
  print.note(
    '  telegrep add durov telegram          names or links; or a starter list: telegrep add channels/start.txt',
  )
  print.note(
    '  telegrep demo                        or look around with a simulated platform, offline',
  )
}

/** The commonest accident of a first start deserves a sentence of its own. */
export function portInUse(error: unknown, { config }: CommandCall): Error | undefined {
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
  const isAdmin = config.admin !== null && port === config.admin.port && port !== config.port
  const [variable, flag] = isAdmin
    ? ['TELEGREP_ADMIN_PORT', '--admin-port']
    : ['TELEGREP_PORT', '--port']
  if (code === 'EADDRINUSE') {
    return new OperatorError(
      `port ${port} on ${address} is in use by another program; choose another with ${variable} or ${flag}`,
    )
  }
  if (code === 'EACCES')
    return new OperatorError(`port ${port} may not be used by this user; ports from 1024 on can`)
  return new OperatorError(`TELEGREP_HOST ${config.host} is not an address of this machine`)
}
