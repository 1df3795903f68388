import { expectOk, type Client } from './client.ts'
import { FencedOffError } from '../search-index.ts'
import { ask, writerDeadline } from './control.ts'

/**
 * Posts are written through an alias of the index that belongs to one writer. The next writer removes that alias:
 * requests still in flight then find no index. And if an index is gone, a write cannot create one of its name without a
 * mapping.
 */
export const writeAlias = (index: string, token: number) => `${writeAliasPrefix(index)}${token}`

const writeAliasPrefix = (index: string) => `${index}-write-`

/** Gives the writer of this token its aliases for those of the indices that exist; rejects if a later writer has its own. */
export async function takeWriteAliases(
  client: Client,
  indices: readonly string[],
  token: number,
): Promise<void> {
  const path = `/${indices.join(',')}/_alias?ignore_unavailable=true&allow_no_indices=true`
  const found = await client.request({ method: 'GET', path, deadline: writerDeadline() })
  const held = found.status === 404 ? {} : expectOk<Aliases>(found)
  for (const [index, { aliases }] of Object.entries(held)) {
    const names = Object.keys(aliases).filter((alias) => alias.startsWith(writeAliasPrefix(index)))
    if (names.some((alias) => Number(alias.slice(writeAliasPrefix(index).length)) > token)) {
      throw new FencedOffError()
    }
    const own = writeAlias(index, token)
    const others = names.filter((name) => name !== own)
    await ask(client, 'PUT', `/${index}/_alias/${own}`)
    if (others.length > 0) await ask(client, 'DELETE', `/${index}/_alias/${others.join(',')}`)
  }
}

type Aliases = Readonly<Record<string, { readonly aliases: object }>>
