import type { Command } from '../command.ts'

/** Commands that run until they are stopped. */

export const serve: Command = {
  name: 'serve',
  summary: 'API, web page, crawler and indexer in one process',
  operands: '',
  takes: [0, 0],
  data: 'made',
  flags: {
    'no-crawl': { type: 'boolean', meaning: 'answer only; another process crawls' },
    'no-api': { type: 'boolean', meaning: 'crawl and index only, as `crawl` does' },
  },
  variables: ['host', 'port', 'crawl-rate'],
  examples: [
    { line: 'telegrep serve', does: 'on http://127.0.0.1:8080' },
    { line: 'telegrep serve --port 9000 --data ./elsewhere', does: 'elsewhere' },
    { line: 'telegrep serve --no-crawl', does: 'one more API process on the same data' },
  ],
  run: async (call) => (await import('../commands/serve.ts')).serveCommand(call),
}

export const crawl: Command = {
  name: 'crawl',
  summary: 'crawler and indexer only',
  operands: '',
  takes: [0, 0],
  data: 'made',
  flags: {},
  variables: ['crawl-rate', 'crawl-concurrency'],
  examples: [
    { line: 'telegrep crawl --crawl-rate 0.5', does: 'one request every two seconds' },
    { line: 'telegrep crawl & telegrep serve --no-crawl', does: 'crawler and API apart' },
  ],
  run: async (call) => (await import('../commands/serve.ts')).crawlCommand(call),
}

export const index: Command = {
  name: 'index',
  summary: 'indexer only; stands by while another process indexes',
  operands: '',
  takes: [0, 0],
  data: 'made',
  flags: {},
  examples: [
    { line: 'telegrep index', does: 'takes over within 20 s of the other’s end' },
    { line: 'telegrep index --admin-port 9091', does: 'with metrics and health on a port' },
  ],
  run: async (call) => (await import('../commands/serve.ts')).indexCommand(call),
}

export const demo: Command = {
  name: 'demo',
  summary: 'a simulated platform and the service on it, offline',
  operands: '',
  takes: [0, 0],
  data: 'made',
  flags: {
    channels: { type: 'string', value: '<number>', meaning: 'how many simulated channels (60)' },
    seed: { type: 'string', value: '<word>', meaning: 'another world' },
    keep: { type: 'boolean', meaning: 'use --data instead of a folder that is deleted at the end' },
  },
  variables: ['host', 'port'],
  examples: [
    { line: 'telegrep demo', does: 'prints the addresses and what to try; Ctrl-C ends both' },
    { line: 'telegrep demo --channels 300 --port 9000', does: 'a larger world' },
  ],
  run: async (call) => (await import('../commands/demo.ts')).demo(call),
}

export const mcp: Command = {
  name: 'mcp',
  summary: 'speak MCP over standard input and output, on the local data',
  operands: '',
  takes: [0, 0],
  data: 'made',
  flags: {},
  examples: [
    { line: 'telegrep mcp', does: 'for a client that starts its servers itself; see docs/mcp.md' },
    { line: 'telegrep mcp --data ./elsewhere', does: 'on the data of a running server' },
  ],
  run: async (call) => (await import('../commands/mcp.ts')).mcp(call),
}
