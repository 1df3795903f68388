import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The bytes of the language model. They come from inside a package that is made to load them in another way. */
export function readLanguageModel(): Promise<Uint8Array> {
  const { resolve } = createRequire(import.meta.url)
  return readFile(
    join(resolve('fasttext.wasm.js'), '../../models/language-identification/assets/lid.176.ftz'),
  )
}
