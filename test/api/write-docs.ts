/** Writes the generated documents: `node test/api/write-docs.ts`. */
import { writeFileSync } from 'node:fs'
import { renderApiDoc, renderErrorsDoc } from './api-doc.ts'
import { formatted } from './formatted.ts'

const docs = new URL('../../docs/', import.meta.url)
writeFileSync(new URL('api.md', docs), await formatted(renderApiDoc()))
writeFileSync(new URL('errors.md', docs), await formatted(renderErrorsDoc()))
