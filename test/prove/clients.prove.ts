import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../start-service.ts'

/**
 * Generates a TypeScript and a Python client from the OpenAPI document of the running service, and calls every operation
 * through both: the document must be enough for people who never read ours. Generators come from npm and pip.
 */
const folder = mkdtempSync(join(tmpdir(), 'telegrep-clients-'))
const own = join(import.meta.dirname, 'clients')
const SKILLS = join(import.meta.dirname, '..', '..', 'skills')
const venv = join(folder, 'venv', 'bin')

try {
  await using service = await startService()
  await service.settled()
  const document = await (await fetch(`${service.url}/v1/openapi.json`)).text()
  writeFileSync(join(folder, 'openapi.json'), document)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  copyFileSync(join(own, 'calls.ts'), join(folder, 'calls.ts'))
  copyFileSync(join(own, 'calls.py'), join(folder, 'calls.py'))

  const calls = readFileSync(join(own, 'calls.py'), 'utf8')
  const operations = [...document.matchAll(/"operationId":"(\w+)"/g)].map(([, name]) => name!)
  assert.deepEqual(
    // A generated client waits for the end of a reply, which a stream does not have.
    operations.filter((name) => name !== 'stream_posts' && !calls.includes(`${name}.sync`)),
    [],
    'not called',
  )

  console.log("the document by its specification's own schema")
  const validator = '@seriousme/openapi-schema-validator'
  await run('npx', '--yes', `--package=${validator}@2`, 'validate-api', 'openapi.json')

  console.log('typescript: openapi-typescript, openapi-fetch')
  const packages = ['openapi-typescript@7', 'openapi-fetch@0.17', 'typescript@5', '@types/node@24']
  await run('npm', 'install', '--silent', '--no-audit', '--no-fund', ...packages)
  await run('npx', 'openapi-typescript', 'openapi.json', '-o', 'schema.d.ts')
  const options = [
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--skipLibCheck',
    '--types',
    'node',
  ]
  await run('npx', 'tsc', '--noEmit', '--strict', ...options, 'calls.ts')
  await run(process.execPath, 'calls.ts', `${service.url}/v1`)

  console.log('python: openapi-python-client')
  await run('python3', '-m', 'venv', 'venv')
  await run(join(venv, 'pip'), 'install', '--quiet', 'openapi-python-client', 'httpx', 'attrs')
  await run(
    join(venv, 'openapi-python-client'),
    'generate',
    '--path',
    'openapi.json',
    '--output-path',
    'made',
  )
  await run(join(venv, 'python3'), 'calls.py', `${service.url}/v1`)

  console.log("the skills by their format's own validator")
  await run(join(venv, 'pip'), 'install', '--quiet', 'skills-ref')
  for (const skill of readdirSync(SKILLS)) {
    await run(join(venv, 'agentskills'), 'validate', join(SKILLS, skill))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The service runs in this process, so it must not be blocked while a command runs. */
async function run(command: string, ...args: readonly string[]): Promise<void> {
  const env = {
    ...process.env,
    PATH: `${venv}:${process.env['PATH']}`,
    PYTHONPATH: join(folder, 'made'),
  }
  const child = spawn(command, args, { cwd: folder, env, stdio: 'inherit' })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${String(code)}`)
}
