import { readFileSync } from 'node:fs'
import type { Operation } from '../operations/operation.ts'

/** A reply recorded against a simulated platform, its lists cut short (`node test/api/record-examples.ts`). */
interface ExampleReply {
  readonly request: string
  readonly reply: unknown
}

const EXAMPLES = JSON.parse(
  readFileSync(new URL('pages/assets/examples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, ExampleReply>>

export function exampleOf({ name }: Pick<Operation, 'name'>): ExampleReply | undefined {
  return EXAMPLES[name]
}
