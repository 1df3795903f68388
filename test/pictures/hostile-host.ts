import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { jpegOf, pngOf, webpOf } from './picture-bytes.ts'

/** A file host that does everything a host should not, one misbehaviour per path. */
export interface HostileHost extends AsyncDisposable {
  readonly url: string
  /** Paths in the order in which they were requested. */
  readonly asked: string[]
}

export const GOOD = jpegOf(640, 480, 2_000)
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const HTML = '<!doctype html><script>alert(document.domain)</script>'

const BOMB = gzipSync(Buffer.alloc(20_000_000))

type Serve = (response: ServerResponse, origin: string) => void

export const HOSTILE: Readonly<Record<string, Serve>> = {
  redirect: (response, origin) => {
    response.writeHead(302, { location: `${origin}/file/good.jpg` }).end()
  },
  'redirect-private': (response) => {
    response.writeHead(301, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
  },
  'redirect-with-picture': (response, origin) => {
    response.writeHead(307, { location: `${origin}/file/good.jpg`, 'content-type': 'image/jpeg' })
    response.end(GOOD)
  },
  html: (response) => picture(response, HTML, 'text/html'),
  'html-as-picture': (response) => picture(response, HTML, 'image/jpeg'),
  svg: (response) => picture(response, SVG, 'image/svg+xml'),
  'svg-as-picture': (response) => picture(response, SVG, 'image/png'),
  'no-type': (response) => response.writeHead(200).end(GOOD),
  'wide-bomb': (response) => picture(response, pngOf(60_000, 60_000)),
  'flat-bomb': (response) => picture(response, pngOf(2, 2_000_000_000)),
  'webp-bomb': (response) => picture(response, webpOf('VP8X', 16_000_000, 16_000_000)),
  'gzip-bomb': (response) => {
    const headers = { 'content-type': 'image/png', 'content-encoding': 'gzip' }
    response.writeHead(200, headers).end(BOMB)
  },
  'too-large': (response) => picture(response, jpegOf(640, 480, 300_000)),
  'too-large-untold': (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' })
    response.write(jpegOf(640, 480, 150_000))
    response.end(Buffer.alloc(150_000))
  },
  endless: (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' })
    response.write(jpegOf(640, 480))
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    }
    response.on('drain', pour)
    pour()
  },
  'endless-refusal': (response) => {
    response.writeHead(404, { 'content-type': 'image/jpeg' })
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    }
    response.on('drain', pour)
    pour()
  },
  drip: (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' })
    response.write(jpegOf(640, 480))
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  },
  silent: () => {},
  empty: (response) => picture(response, ''),
  'cut-short': (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': '5000' })
    response.write(GOOD)
    setTimeout(() => response.destroy(), 20)
  },
  'huge-header': (response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'x-large': 'x'.repeat(60_000) })
    response.end(GOOD)
  },
  partial: (response) => response.writeHead(206, { 'content-type': 'image/jpeg' }).end(GOOD),
}

function picture(response: ServerResponse, body: string | Buffer, type = 'image/jpeg'): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

/** Serves `/file/<what>.jpg`; anything it does not know is a good picture. */
export async function startHostileHost(): Promise<HostileHost> {
  const asked: string[] = []
  let origin = ''
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    response.on('error', () => {})
    const what = /^\/file\/([\w-]+)\.jpg/.exec(path)?.[1] ?? ''
    const serve = HOSTILE[what]
    if (serve) serve(response, origin)
    else picture(response, GOOD)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: origin,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
