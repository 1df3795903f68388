import { createApp } from '../../app.ts'
import { serveMcpStdio } from '../../mcp/over-stdio.ts'
import { LOCAL_CALLER } from '../ask.ts'
import type { CommandCall } from '../command.ts'

export async function mcp(call: CommandCall): Promise<void> {
  // Standard output belongs to the protocol: whatever else there is to say goes to standard error.
  await using app = await createApp(call.config, call.secrets, { log: 'warn' })
  await serveMcpStdio(app.context, LOCAL_CALLER, app.events, call.signal)
}
