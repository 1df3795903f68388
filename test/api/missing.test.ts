import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AppError } from '../../src/model/errors.ts'
import { CATALOGUE } from '../../src/operations/catalogue.ts'
import { inputJsonSchema, type Operation } from '../../src/operations/operation.ts'
import { startService, type Service } from './harness.ts'

const GIVEN: Readonly<Record<string, string>> = { username: 'durov', slug: '342', q: 'elec' }

interface Missing {
  readonly operation: Operation
  readonly name: string
  /** The other required parameters of the operation. */
  readonly others: Readonly<Record<string, string>>
}

/** Every required parameter of every operation, left out once. */
const MISSING: readonly Missing[] = CATALOGUE.flatMap((operation) => {
  const { required = [] } = inputJsonSchema(operation) as { required?: readonly string[] }
  return required.map((name) => {
    const others = required.filter((other) => other !== name)
    return { operation, name, others: Object.fromEntries(others.map((o) => [o, GIVEN[o]!])) }
  })
})

describe('a required parameter that is missing', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service[Symbol.asyncDispose]())

  test('is covered by at least nine cases, with an example value for each', () => {
    assert.ok(MISSING.length >= 9)
    for (const { operation, name } of MISSING) assert.ok(GIVEN[name], `${operation.name} ${name}`)
  })

  for (const { operation, name, others } of MISSING) {
    const told = new RegExp(`^the parameter \`${name}\` is required`)

    test(`${operation.name} without ${name} throws missing_parameter and names it`, () => {
      assert.throws(
        () => operation.prepare(others),
        (error) =>
          error instanceof AppError &&
          error.code === 'missing_parameter' &&
          told.test(error.message) &&
          error.errors.length === 1 &&
          error.errors[0]!.parameter === name,
      )
    })

    if (operation.path.includes(`{${name}}`)) continue
    test(`${operation.name} without ${name} gets 400 over HTTP and names it`, async () => {
      assert.ok(operation.errors.includes('missing_parameter'), 'its document says so')
      const { status, json } = await service.get(`/v1${operation.path}`)
      assert.equal(status, 400)
      assert.equal(json.code, 'missing_parameter')
      assert.match(json.errors[0].detail, told)
    })
  }

  test('an empty search gets missing_parameter', async () => {
    const { status, json } = await service.get('/v1/search')
    assert.equal(status, 400)
    assert.equal(json.code, 'missing_parameter')
    assert.equal(json.errors[0].parameter, 'q')
  })
})
