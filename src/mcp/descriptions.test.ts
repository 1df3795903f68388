import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '../operations/catalogue.ts'
import { exampleOf } from './descriptions.ts'
import { toolSchema } from './tool-schema.ts'

test('the example of each tool matches the types in its schema, as some clients require', () => {
  let seen = 0
  for (const operation of CATALOGUE) {
    const example = JSON.parse(exampleOf(operation).replace(' Example: ', '')) as object
    const { properties } = toolSchema(operation) as {
      properties: Record<string, { readonly type: string }>
    }
    for (const [name, value] of Object.entries(example)) {
      const found = Array.isArray(value) ? 'array' : typeof value
      const { type } = properties[name]!
      assert.equal(found, type === 'integer' ? 'number' : type, `${operation.name}: ${name}`)
      seen++
    }
  }
  assert.ok(seen > 5, `${seen} arguments`)
})
