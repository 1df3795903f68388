import { createApp } from '../../app.ts'
import { serveMcpStdio } from '../../mcp/server.ts'
import { LOCAL_CALLER } from '../ask.ts'
import { EXIT_CODES } from '../command.ts'
import type { Command } from '../command.ts'

export const mcp: Command = {
  name: 'mcp',
  summary: 'speak MCP over standard input and output, on the local data',
  operands: '',
  flags: {},
  examples: [
    { line: 'telegrep mcp', does: 'for a client that starts its servers itself; see docs/mcp.md' },
    { line: 'telegrep mcp --data ./elsewhere', does: 'on the data of a running server' },
  ],
  async run(call) {
    // Standard output belongs to the protocol: whatever else there is to say goes to standard error.
    await using app = await createApp(call.config, call.secrets, { quiet: true })
    await serveMcpStdio(app.context, LOCAL_CALLER, app.events, call.signal)
    return EXIT_CODES.ok.code
  },
}
