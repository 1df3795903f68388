import { z } from 'zod'
import { EDIT_KINDS, type Classified, type NamedChange } from '../../model/edit.ts'
import { servedLine } from './served-text.ts'

export const namedChangeView = z
  .strictObject({
    kind: z.enum(EDIT_KINDS),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })
  .meta({
    id: 'NamedChange',
    description: 'As it stood in the text; null where it was added or removed.',
  })

export const editKinds = z.array(z.enum(EDIT_KINDS)).meta({
  description:
    'What was changed. `text`: other words. `other`: formatting, media, poll, buttons or signature. `deleted`: the whole post.',
})

export function viewClassified({ kinds, named }: Classified) {
  const shown = (text: string | null) => (text === null ? null : servedLine(text))
  return {
    kinds: [...kinds],
    named: named.map(({ kind, before, after }: NamedChange) => ({
      kind,
      before: shown(before),
      after: shown(after),
    })),
  }
}
