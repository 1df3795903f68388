import type { Client } from './client.ts'
import { readMeta } from './control.ts'
import { indicesOf } from './generation.ts'
import { createNames } from './names.ts'

/** The analyzer version that an index belongs to; Infinity if it belongs to none. */
export const versionsIn = (prefix: string) => (index: string) => {
  const found = /^a(\d+)-(?:g\d+-\d+|channels)$/.exec(index.slice(prefix.length + 1))
  return found ? Number(found[1]) : Infinity
}

/** Whether a complete index of another analyzer version exists. */
export async function isOtherVersionComplete(
  client: Client,
  prefix: string,
  analyzerVersion: number,
): Promise<boolean> {
  const found = (await indicesOf(client, `${prefix}-a*-g*`)).map(versionsIn(prefix))
  const others = new Set(found.filter((version) => Number.isFinite(version)))
  others.delete(analyzerVersion)
  const metas = await Promise.all(
    [...others].map((version) => readMeta(client, createNames(prefix, version))),
  )
  return metas.some((meta) => meta?.complete === true && !meta.lacks)
}
