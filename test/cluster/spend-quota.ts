import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { runLine } from '../cli/telegrep.ts'
import { TIERS, type FaultStage } from './fault-stage.ts'

const CALLERS = 8
const DAY_MS = 86_400_000

/**
 * One key asks both API processes for twice its quota: it gets exactly the quota, and never more when one of them is killed.
 */
export async function spendQuota(stage: FaultStage): Promise<object> {
  const limit = TIERS.small.daily
  const first = await spend(stage, async () => {})
  assert.equal(first.granted, limit)
  const [api] = stage.apis
  const second = await spend(stage, async () => {
    await api!.kill()
    await api!.start()
  })
  assert.ok(second.granted <= limit, `${second.granted} were granted of ${limit}`)
  // A crash may lose one block, a hundredth of the limit, for each caller and process.
  assert.ok(second.granted >= limit * 0.98, `${second.granted} were granted of ${limit}`)
  return { limit, asked: first.asked, granted: first.granted, killed: second.granted }
}

async function spend({ apis, env }: FaultStage, meanwhile: () => Promise<void>) {
  const line = 'telegrep keys create --tier small --json'
  const { stdout, stderr } = await runLine(line, { cwd: tmpdir(), env })
  assert.notEqual(stdout, '', stderr)
  const { key } = JSON.parse(stdout) as { key: string }
  const limit = TIERS.small.daily
  const day = Math.floor(Date.now() / DAY_MS)
  let granted = 0
  let asked = 0
  const caller = async (place: number) => {
    for (let i = 0; i < (2 * limit) / CALLERS; i++) {
      const { address } = apis[(place + i) % apis.length]!
      if (address === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        continue
      }
      asked++
      try {
        const headers = { authorization: `Bearer ${key}` }
        const reply = await fetch(`${address}/v1/channels?limit=1`, { headers })
        await reply.arrayBuffer()
        if (reply.ok) granted++
        else assert.equal(reply.status, 429)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        // Killed meanwhile.
      }
    }
  }
  const done = Promise.all(Array.from({ length: CALLERS }, (_, place) => caller(place)))
  await Promise.all([done, meanwhile()])
  assert.equal(Math.floor(Date.now() / DAY_MS), day, 'the day changed meanwhile: run it again')
  return { granted, asked }
}
