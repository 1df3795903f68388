import { createApp } from '../../app.ts'
import { serveMcpStdio } from '../../mcp/over-stdio.ts'
import { LOCAL_CALLER } from '../ask.ts'
import type { CommandCall } from '../command.ts'

export async function mcp(call: CommandCall): Promise<void> {
  // Standard output belongs to the protocol; everything else goes to standard error.
  const { config, secrets, signal } = call
  await using app = await createApp(config, secrets, { log: 'warn', signal })
  if (process.stdin.isTTY)
    call.print.note(
      'Waiting for MCP messages, which a client sends that starts this command itself; Ctrl-C ends it.',
    )
  await serveMcpStdio(app.context, LOCAL_CALLER, app.events, signal)
}
