import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { addressOf, type Config } from './config.ts'
import { explainListenFailure } from './listen-failure.ts'

/** Replaces port 0 by a free port. It is chosen before anything else is created, so that absolute links can name it. */
export async function withFreePort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await freePort(config.host).catch(explainListenFailure(config.host, 'TELEGREP'))
  const isDerived = config.publicUrl === addressOf(config.host, 0)
  return { ...config, port, publicUrl: isDerived ? addressOf(config.host, port) : config.publicUrl }
}

async function freePort(host: string): Promise<number> {
  await using server = createServer().listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
