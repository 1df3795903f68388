import { expectOk, type Client } from './client.ts'
import { FencedOffError } from '../search-index.ts'
import { soon } from './control.ts'

/**
 * Posts are written through a name of the index that one writer alone has. Its successor takes the name away: what was under way
 * then finds no index. And where an index is gone, nothing makes one of its name without a mapping.
 */
export const writeName = (index: string, token: number) => `${writeNames(index)}${token}`

const writeNames = (index: string) => `${index}-write-`

/** Gives the writer of this token its names for these indices, as far as they are there; rejects when a later one has its own. */
export async function takeWriteNames(
  client: Client,
  indices: readonly string[],
  token: number,
): Promise<void> {
  const path = `/${indices.join(',')}/_alias?ignore_unavailable=true&allow_no_indices=true`
  const found = await client.request({ method: 'GET', path, deadline: soon() })
  const held = found.status === 404 ? {} : expectOk<Aliases>(found)
  const ask = async (method: 'PUT' | 'DELETE', path: string) =>
    expectOk(await client.request({ method, path, deadline: soon() }))
  for (const [index, { aliases }] of Object.entries(held)) {
    const names = Object.keys(aliases).filter((alias) => alias.startsWith(writeNames(index)))
    if (names.some((alias) => Number(alias.slice(writeNames(index).length)) > token)) {
      throw new FencedOffError()
    }
    const own = writeName(index, token)
    const others = names.filter((name) => name !== own)
    await ask('PUT', `/${index}/_alias/${own}`)
    if (others.length > 0) await ask('DELETE', `/${index}/_alias/${others.join(',')}`)
  }
}

type Aliases = Readonly<Record<string, { readonly aliases: object }>>
