import type { Command } from '../command.ts'

/** Commands that run until they are stopped. */

export const serve: Command = {
  name: 'serve',
  summary: 'API, web page, crawler and indexer in one process',
  data: 'made',
  flags: {
    'no-crawl': { meaning: 'answer only; another process crawls' },
    'no-api': { meaning: 'crawl and index only, as `crawl` does' },
  },
  variables: ['host', 'port', 'admin-port', 'crawl-rate'],
  examples: {
    'telegrep serve': 'on http://127.0.0.1:8080',
    'telegrep serve --port 9000 --data ./elsewhere': 'on another port, with its own data',
    'telegrep serve --no-crawl': 'one more API process on the same data',
  },
  run: async (call) => (await import('../commands/serve.ts')).serveCommand(call),
}

export const crawl: Command = {
  name: 'crawl',
  summary: 'crawler and indexer only',
  data: 'made',
  variables: ['admin-port', 'crawl-rate', 'crawl-concurrency'],
  examples: {
    'telegrep crawl --crawl-rate 0.5': 'one request every two seconds',
    'telegrep crawl & telegrep serve --no-crawl': 'crawler and API apart',
  },
  run: async (call) =>
    (await import('../commands/serve.ts')).runService(call, {
      api: false,
      crawl: true,
      index: true,
    }),
}

export const index: Command = {
  name: 'index',
  summary: 'indexer only; stands by while another process indexes',
  data: 'made',
  variables: ['admin-port'],
  examples: {
    'telegrep index': 'takes over within 20 s of the other’s end',
    'telegrep index --admin-port 9091': 'with metrics and health on a port',
  },
  run: async (call) =>
    (await import('../commands/serve.ts')).runService(call, {
      api: false,
      crawl: false,
      index: true,
    }),
}

export const demo: Command = {
  name: 'demo',
  summary: 'a simulated platform and the service on it, offline',
  data: 'untouched',
  flags: {
    channels: { value: '<number>', meaning: 'how many simulated channels (60)' },
  },
  variables: ['host', 'port'],
  examples: {
    'telegrep demo': 'prints the addresses and what to try; Ctrl-C ends both',
    'telegrep demo --channels 300 --port 9000': 'a larger world',
  },
  run: async (call) => (await import('../commands/demo.ts')).demo(call),
}

export const mcp: Command = {
  name: 'mcp',
  summary: 'speak MCP over standard input and output, on the local data',
  data: 'made',
  examples: {
    'telegrep mcp': 'for a client that starts its servers itself; see docs/mcp.md',
    'telegrep mcp --data ./elsewhere': 'on the data of a running server',
  },
  run: async (call) => (await import('../commands/mcp.ts')).mcp(call),
}
