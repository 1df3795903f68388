import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePost, startService } from '../api/harness.ts'
import { until } from '../until.ts'
import { openBrowser, whyNoBrowser } from '../web/browser.ts'

const NGINX = ['/usr/sbin/nginx', 'nginx']
const nginx = NGINX.find((path) => spawnSync(path, ['-v']).error === undefined)
const reason = nginx === undefined ? 'there is no nginx here' : whyNoBrowser()
if (reason !== undefined) process.stdout.write(`# streams behind nginx are skipped: ${reason}\n`)

/** The lines of the `location` block in the handbook, for a service at another address. */
function documented(service: string): string {
  const text = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/```nginx\n([^]*?)```/g)].map(([, block]) => block!)
  const [location] = /location \/ \{[^}]*/.exec(blocks[0]!) ?? ['']
  return `${location.replace('http://127.0.0.1:8080', service)}\n${blocks[1]!}\n}`
}

test(
  'Chromium’s EventSource reads a stream through nginx, and resumes after nginx was restarted',
  {
    skip: reason ?? false,
  },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'telegrep-nginx-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    await using service = await startService()
    const port = await freePort()
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server { listen 127.0.0.1:${port}; ${documented(service.url)} }
}`,
    )
    let proxy = startProxy(folder)
    t.after(() => stop(proxy))
    const url = `http://127.0.0.1:${port}`
    const isUp = () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until(isUp)
    const browser = await openBrowser()
    t.after(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`${url}/healthz`)
    await page.evaluate(`
    window.told = []
    const stream = new EventSource('/v1/stream?q=river')
    stream.onopen = () => (window.opened = (window.opened ?? 0) + 1)
    stream.addEventListener('post', ({ data }) => window.told.push(JSON.parse(data).id))
  `)
    const told = () => page.evaluate<string[]>('window.told')
    await until(() => service.ctx.streams.open === 1)
    const publish = (number: number) => {
      const publishedAt = service.clock.now() - 60_000
      const post = makePost({ number, publishedAt, text: `The river rose ${number} times` })
      return service.publish({ username: 'floods' }, [post])
    }
    await publish(1)
    await until(async () => (await told()).length === 1)

    await stop(proxy)
    await until(() => service.ctx.streams.open === 0)
    await publish(2)
    proxy = startProxy(folder)
    await until(async () => (await told()).length === 2)
    await publish(3)
    await until(async () => (await told()).length === 3)
    assert.deepEqual(await told(), ['floods/1', 'floods/2', 'floods/3'])
  },
)

function startProxy(folder: string): ChildProcess {
  return spawn(nginx!, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
}

async function stop(proxy: ChildProcess): Promise<void> {
  if (proxy.exitCode !== null || proxy.signalCode !== null) return
  proxy.kill('SIGTERM')
  await once(proxy, 'exit')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listening = createServer()
    listening.once('error', reject)
    listening.listen(0, '127.0.0.1', () => {
      const { port } = listening.address() as AddressInfo
      listening.close(() => resolve(port))
    })
  })
}
