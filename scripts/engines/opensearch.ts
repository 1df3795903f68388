import { chownSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { unpacked, type Artifact } from './artifacts.ts'
import { EngineError } from './engine-error.ts'
import type { Instance, NodeRecord, OpenSearchRecord } from './instance.ts'
import { findJdk, type Jdk } from './jdk.ts'
import { makeFolder, type EngineUser, type Places } from './places.ts'
import { freePort, halt, isAlive, launch, untilReady, type Running } from './processes.ts'

export function openSearchUrl({ nodes }: OpenSearchRecord): string {
  return `http://${nodes.map((node) => `127.0.0.1:${node.httpPort}`).join(',')}`
}

export interface OpenSearchWishes {
  readonly user: EngineUser
  /** Undefined: as many as last time, one at first. */
  readonly nodes: number | undefined
  readonly heapMb: number | undefined
  /** `name=value`, for the nodes that are started now. */
  readonly settings: readonly string[]
}

/** Starts the nodes that are not running; data of an earlier start is kept. Resolves to whether there was anything to do. */
export async function startOpenSearch(
  places: Places,
  instance: Instance,
  wishes: OpenSearchWishes,
): Promise<boolean> {
  const before = instance.record.opensearch
  const count = wishes.nodes ?? before?.nodes.length ?? 1
  const alive = before?.nodes.filter(runs) ?? []
  if (before && alive.length > 0 && before.nodes.length !== count) {
    throw new EngineError(
      `OpenSearch runs with --nodes ${before.nodes.length}: stop it first, or start another instance with --name`,
    )
  }
  if (before && alive.length === count) {
    await untilReady('OpenSearch', runningOf(before), () => answers(before))
    return false
  }
  const home = makeFolder(join(places.instance, 'opensearch'), wishes.user)
  const isSameCluster = before?.nodes.length === count
  if (!isSameCluster) for (const old of globSync(join(home, 'node-*'))) discard(old)

  const software = join(await unpacked(DISTRIBUTION, places), `opensearch-${VERSION}`)
  const jdk = await findJdk(places, wishes.user)
  const record = {
    heapMb: wishes.heapMb ?? before?.heapMb ?? (count === 1 ? 1024 : 512),
    nodes: isSameCluster ? [...before.nodes] : Array.from({ length: count }, () => NO_PORTS),
  }
  await takePorts(record.nodes)
  instance.record.opensearch = record
  const started: Running[] = []
  for (const [i, node] of record.nodes.entries()) {
    if (runs(node)) continue
    const folder = makeFolder(join(home, `node-${i + 1}`), wishes.user)
    configure({ folder, software, jdk, number: i + 1, nodes: record.nodes, user: wishes.user })
    const running = await launch({
      command: join(software, 'bin/opensearch'),
      args: wishes.settings.map((setting) => `-E${setting}`),
      env: environment(folder, jdk, record.heapMb),
      folder,
      log: join(places.instance, `opensearch-${i + 1}.log`),
      user: wishes.user,
    })
    record.nodes[i] = { ...node, running }
    started.push(running)
    instance.save()
  }
  try {
    await untilReady('OpenSearch', runningOf(record), () => answers(record))
  } catch (error) {
    // Nodes that ran before keep running.
    await haltAll(started)
    throw error
  }
  return true
}

export async function stopOpenSearch(record: OpenSearchRecord): Promise<void> {
  await haltAll(runningOf(record))
}

async function haltAll(nodes: readonly Running[]): Promise<void> {
  await Promise.all(nodes.map((running) => halt(running, 'SIGTERM')))
}

const NO_PORTS: NodeRecord = { httpPort: 0, transportPort: 0 }

function runs({ running }: NodeRecord): boolean {
  return running !== undefined && isAlive(running)
}

function runningOf({ nodes }: OpenSearchRecord): Running[] {
  return nodes.flatMap(({ running }) => running ?? [])
}

function discard(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Keeps the ports of running nodes, and those of others if still free, so that addresses given out stay valid. */
async function takePorts(nodes: NodeRecord[]): Promise<void> {
  for (const [i, node] of nodes.entries()) {
    if (runs(node)) continue
    const httpPort = await freePort(node.httpPort)
    const transportPort = await freePort(node.transportPort)
    nodes[i] = { ...node, httpPort, transportPort }
  }
}

/** All nodes have joined, and every index can be read. */
async function answers({ nodes }: OpenSearchRecord): Promise<boolean> {
  try {
    const healths = await Promise.all(nodes.map(({ httpPort }) => health(httpPort)))
    return healths.every((each) => each.number_of_nodes === nodes.length && each.status !== 'red')
  } catch {
    return false
  }
}

async function health(port: number): Promise<{ status: string; number_of_nodes: number }> {
  const response = await fetch(`http://127.0.0.1:${port}/_cluster/health`, {
    signal: AbortSignal.timeout(5000),
  })
  if (!response.ok) throw new Error(`health answers ${response.status}`)
  return (await response.json()) as { status: string; number_of_nodes: number }
}

function environment(folder: string, jdk: Jdk, heapMb: number): Record<string, string> {
  return {
    OPENSEARCH_JAVA_HOME: jdk.home,
    OPENSEARCH_PATH_CONF: join(folder, 'config'),
    OPENSEARCH_TMPDIR: join(folder, 'tmp'),
    OPENSEARCH_JAVA_OPTS: `-Xms${heapMb}m -Xmx${heapMb}m`,
  }
}

function configure(of: {
  readonly folder: string
  readonly software: string
  readonly jdk: Jdk
  readonly number: number
  readonly nodes: readonly NodeRecord[]
  readonly user: EngineUser
}): void {
  makeFolder(join(of.folder, 'tmp'), of.user)
  const config = makeFolder(join(of.folder, 'config'), of.user)
  cpSync(join(of.software, 'config'), config, { recursive: true })
  const options = join(config, 'jvm.options')
  writeFileSync(options, jvmOptions(readFileSync(options, 'utf8'), of.jdk))
  writeFileSync(join(config, 'opensearch.yml'), settings(of.folder, of.number, of.nodes))
  if (!of.user) return
  const { uid, gid } = of.user
  for (const file of globSync(join(config, '**'))) chownSync(file, uid, gid)
}

/** Removes options that would write into the installation, and modules that a small runtime lacks. */
function jvmOptions(text: string, jdk: Jdk): string {
  const unwanted = /gc\.log|HeapDump|ErrorFile/
  return text
    .split('\n')
    .filter((line) => !unwanted.test(line))
    .filter((line) => {
      const module = /--add-modules=([\w.]+)/.exec(line)?.[1]
      return module === undefined || jdk.modules.has(module)
    })
    .join('\n')
}

function settings(folder: string, number: number, nodes: readonly NodeRecord[]): string {
  const { httpPort, transportPort } = nodes[number - 1] as NodeRecord
  const instance = basename(join(folder, '../..'))
  const lines = {
    'cluster.name': `telegrep-${instance}`,
    'node.name': `node-${number}`,
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    'network.host': '127.0.0.1',
    'http.port': httpPort,
    'transport.port': transportPort,
    'discovery.seed_hosts': nodes.map((node) => `127.0.0.1:${node.transportPort}`),
    'cluster.initial_cluster_manager_nodes': nodes.map((_, i) => `node-${i + 1}`),
    // A developer's disk may be nearly full; tests of a full disk set their own limits.
    'cluster.routing.allocation.disk.threshold_enabled': false,
    // As operators are advised: tracking the resources of each part of a search takes a quarter of its time.
    'task_resource_tracking.enabled': false,
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')
}

const VERSION = '3.6.0'

/** The distribution without plugins and without a JDK; the only one in a registry. */
const DISTRIBUTION: Artifact = {
  file: `opensearch-${VERSION}.zip`,
  sha512:
    'b82066a97902879c47e26608848d068c09e74d2128edee2802e622867abd451d34a366acc6519d0b40fc97acc89d61c5bb330ab8b2086cf6ffa0f9fe4b9acaa4',
  tool: 'mvn',
  argsFor: (folder) => [
    '--batch-mode',
    '--quiet',
    'dependency:copy',
    `-DoutputDirectory=${folder}`,
    `-Dartifact=org.opensearch.distribution.integ-test-zip:opensearch:${VERSION}:zip`,
  ],
}
