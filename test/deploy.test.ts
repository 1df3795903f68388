import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { COMMANDS } from '../src/cli/commands.ts'
import { declareMetrics } from '../src/observe/metrics.ts'
import { V8_AT_START } from './v8-at-start.ts'
import { VARIABLES } from '../src/variables.ts'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const DEPLOYMENTS = ['compose.yaml', 'compose.cluster.yaml', 'deploy/kubernetes/telegrep.yaml']

test('deployments use only variables and commands that exist', () => {
  for (const file of DEPLOYMENTS) {
    const text = read(file)
    const names = [...new Set(text.match(/TELEGREP_[A-Z_]+/g))]
    assert.ok(names.length > 0, file)
    assert.deepEqual(
      names.filter((name) => !(name in VARIABLES)),
      [],
      file,
    )
    const commands = [...text.matchAll(/^\s+(?:command|args): \[(\w+)/gm)].map(([, name]) => name)
    const unknown = commands.filter((name) => !COMMANDS.some((command) => command.name === name))
    assert.deepEqual(unknown, [], file)
  }
})

test('the Docker image contains every file of the package that the program reads', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] }
  const copied = [...read('Dockerfile').matchAll(/\/app\/([\w.]+)/g)].map(([, name]) => name)
  const held = files.filter((name) => !name.startsWith('!') && name !== 'CHANGELOG.md')
  assert.deepEqual(
    held.filter((name) => !copied.includes(name)),
    [],
  )
})

test('a service is started with its V8 flag wherever we say how', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const name of ['start', 'telegrep', 'demo']) {
    assert.match(scripts[name]!, new RegExp(`^exec node ${V8_AT_START} src/main`), name)
  }
  assert.match(read('Dockerfile'), new RegExp(`^ENTRYPOINT \\["node", "${V8_AT_START}", `, 'm'))
  assert.match(read('docs/operating.md'), new RegExp(`^ExecStart=\\S+ ${V8_AT_START} `, 'm'))
})

test('pods have a readiness probe, a read-only root file system with /tmp, and no service links', () => {
  const parts = read('deploy/kubernetes/telegrep.yaml').split('\n---\n')
  const deployments = parts.filter((part) => part.includes('kind: Deployment'))
  assert.equal(deployments.length, 3)
  for (const text of deployments) {
    const said = [
      'path: /readyz',
      'enableServiceLinks: false',
      'readOnlyRootFilesystem: true',
      '{ name: tmp, mountPath: /tmp }',
      'emptyDir: {}',
    ]
    for (const each of said) assert.ok(text.includes(each), each)
  }
})

test('alerts on a sum of 0 also fire when the metric is absent', () => {
  const sums = read('deploy/grafana/alerts.yaml').match(/expr: .*== 0.*/g) ?? []
  assert.ok(sums.length > 1)
  for (const sum of sums) assert.match(sum, / or absent\(/)
})

/** The name of a metric without Prometheus' suffixes. */
function namesOf(text: string): Set<string> {
  const found = text.match(/telegrep_[a-z_]+/g) ?? []
  return new Set(found.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))
}

test('the dashboard shows exactly the metrics there are', () => {
  const shown = namesOf(
    JSON.stringify(
      (JSON.parse(read('deploy/grafana/dashboard.json')) as { panels: unknown }).panels,
    ),
  )
  assert.deepEqual(
    [...shown].toSorted(),
    Object.values(declareMetrics())
      .map(({ name }) => name)
      .toSorted(),
  )
})

test('alerts and dashboard use only metrics and labels that exist', () => {
  const labels = new Map(
    Object.values(declareMetrics()).map(({ name, labels: has }) => [name, has]),
  )
  const alerted = namesOf(read('deploy/grafana/alerts.yaml'))
  assert.ok(alerted.size > 5)
  for (const name of alerted) assert.ok(labels.has(name), name)
  const text = `${read('deploy/grafana/alerts.yaml')}${read('deploy/grafana/dashboard.json')}`
  const selections = [...text.matchAll(/(telegrep_[a-z_]+)\{([^}]+)\}/g)]
  assert.ok(selections.length > 3)
  for (const [, name, selected] of selections)
    for (const [, label] of selected!.matchAll(/(\w+)(?:=|!=)/g))
      assert.ok(
        labels.get(name!)?.some((known) => known === label),
        `${name} has no ${label}`,
      )
})

test('gauges with a label are shown by that label in alerts and dashboard', () => {
  const text = `${read('deploy/grafana/alerts.yaml')}${read('deploy/grafana/dashboard.json')}`
  for (const { kind, name, labels } of Object.values(declareMetrics())) {
    const [label] = labels
    if (kind !== 'gauge' || label === undefined) continue
    const uses = text.match(new RegExp(`.*\\b${name}\\b.*`, 'g')) ?? []
    assert.ok(uses.length > 0, name)
    for (const use of uses)
      assert.ok(use.includes(`by (${label})`) || use.includes(`{${label}=`), use)
  }
})

test('operating.md explains every alert, and no others', () => {
  const alerts = [...read('deploy/grafana/alerts.yaml').matchAll(/- alert: (\w+)/g)]
  const rows = [...read('docs/operating.md').matchAll(/^\| `(Telegrep\w+)` \| .+ \| .+ \|$/gm)]
  assert.deepEqual(
    rows.map(([, name]) => name),
    alerts.map(([, name]) => name),
  )
})
