/** A simulated platform in its own process, on which posts appear every other second. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { startSimulator } from '../../src/simulator/server.ts'

interface Told {
  readonly url: string
  readonly names: readonly string[]
}

export async function startPlatform(channels: number): Promise<Told & AsyncDisposable> {
  const child = fork(import.meta.filename, [String(channels)])
  const [told] = (await once(child, 'message')) as [Told]
  return {
    ...told,
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

if (import.meta.main) {
  const startAt = Date.now()
  const channels = Number(process.argv[2])
  const world = { seed: 'soak', channels, startAt, days: 2, activity: 600, steady: true }
  const simulator = await startSimulator({ world })
  process.on('disconnect', () => process.exit())
  process.send!({ url: simulator.url, names: simulator.world.truth.readableNames(startAt) })
}
