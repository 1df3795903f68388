import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

/** Why there can be no timestamp authority here; undefined when `openssl` is installed. */
export function whyNoAuthority(): string | undefined {
  const found = spawnSync('openssl', ['version'])
  return found.status === 0 ? undefined : 'openssl is not installed'
}

export interface Authority extends AsyncDisposable {
  readonly url: string
  /** The file of its root certificate, in PEM. */
  readonly rootFile: string
  /** How often it was asked. */
  asked(): number
  /** What it answers instead of a stamp from now on. */
  answer(wrong: { readonly status: number; readonly body: Buffer } | undefined): void
}

const CONFIG = `
[ tsa ]
default_tsa = it
[ it ]
serial = ./serial
signer_cert = ./tsa.pem
certs = ./root.pem
signer_key = ./tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
[ for_root ]
basicConstraints = critical,CA:true
[ for_stamps ]
basicConstraints = CA:false
extendedKeyUsage = critical,timeStamping
[ req ]
distinguished_name = nobody
[ nobody ]
`

/** An independent timestamp authority: `openssl ts` behind a socket, with a root and a key made for it. */
export async function startAuthority(): Promise<Authority> {
  const cwd = mkdtempSync(join(tmpdir(), 'telegrep-tsa-'))
  const openssl = (line: string) =>
    execFileSync('openssl', line.split(' '), { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  writeFileSync(join(cwd, 'tsa.cnf'), CONFIG)
  writeFileSync(join(cwd, 'serial'), '01\n')
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -config tsa.cnf'
  openssl(
    `req -x509 ${key} -keyout root.key -out root.pem -days 30 -subj /CN=Root -extensions for_root`,
  )
  openssl(`req -new ${key} -keyout tsa.key -out tsa.csr -subj /CN=Stamps`)
  const from =
    '-CA root.pem -CAkey root.key -CAcreateserial -extfile tsa.cnf -extensions for_stamps'
  openssl(`x509 -req -in tsa.csr -out tsa.pem -days 30 ${from}`)

  let asked = 0
  let wrong: { readonly status: number; readonly body: Buffer } | undefined
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked++
    writeFileSync(join(cwd, 'query'), await buffer(request))
    if (wrong) return void response.writeHead(wrong.status).end(wrong.body)
    openssl('ts -reply -config tsa.cnf -queryfile query -out reply')
    response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' })
    response.end(readFileSync(join(cwd, 'reply')))
  }
  const server = createServer((request, response) => void reply(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    rootFile: join(cwd, 'root.pem'),
    asked: () => asked,
    answer: (given) => void (wrong = given),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}
