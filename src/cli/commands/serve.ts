import { createApp } from '../../app.ts'
import type { App } from '../../app.ts'
import { serve } from '../../serve.ts'
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
  const isEmpty = (await app.store.archive.totals()).channels === 0
  try {
    await serve(
      app,
      { ...parts, onReady: ({ address }) => tellReady(app, call, address, isEmpty && parts.crawl) },
      call.signal,
    )
  } catch (error) {
    throw portInUse(error, call) ?? error
  }
  app.events.stopped()
  return EXIT_CODES.ok.code
}

function tellReady(
  app: App,
  { print, json }: CommandCall,
  address: string | null,
  isEmpty: boolean,
): void {
  if (json) print.json({ address, empty: isEmpty })
  else if (address !== null)
    print.note(`Telegrep answers on ${print.style.bold(address)} (API reference: ${address}/docs)`)
  else print.note('Telegrep crawls and indexes; Ctrl-C ends it.')
  if (isEmpty && !json) {
    print.note('No channel is indexed yet. To get posts, in another terminal:')
    print.note(
      '  telegrep add durov telegram          names or links; or a starter list: telegrep add channels/start.txt',
    )
    print.note(
      '  telegrep demo                        or look around with a simulated platform, offline',
    )
  }
  app.events.started({ address: address ?? 'none', crawling: !isEmpty })
}

/** The commonest accident of a first start deserves a sentence of its own. */
export function portInUse(error: unknown, { config }: CommandCall): Error | undefined {
  const code = (error as NodeJS.ErrnoException).code
  const port = (error as { port?: number }).port ?? config.port
  if (code === 'EADDRINUSE') {
    const variable = config.admin?.port === port ? 'TELEGREP_ADMIN_PORT' : 'TELEGREP_PORT'
    return new Error(
      `port ${port} on ${config.host} is in use by another program; choose another with ${variable} or --port`,
      { cause: error },
    )
  }
  if (code === 'EACCES')
    return new Error(`port ${port} may not be used by this user; ports from 1024 on can`, {
      cause: error,
    })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Error(`TELEGREP_HOST ${config.host} is not an address of this machine`, {
      cause: error,
    })
  }
  return undefined
}
