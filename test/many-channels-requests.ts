/** Every kind of request that a service with very many channels gets, sent from another thread. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** `name` is that of a channel. */
function requestsOf(name: string): string[] {
  const sorts = ['subscribers', 'relevance', 'posts_per_day', 'newest_post', 'added', 'username']
  const filters = [
    'lang=is',
    'lang=en',
    'lang=fo',
    'min_subscribers=999000',
    'max_subscribers=3',
    'verified=true',
    'verified=true&max_subscribers=0',
    'active_since=1d',
    'status=queued',
    'status=gone',
  ]
  const words = ['zzzqq', 'news', 'news%20notes', 'b', 'ba', 'aka', 'news%20bakadaga', name]
  return [
    '/healthz',
    '/readyz',
    '/',
    '/?q=snow',
    '/?q=snow%20channel%3Abaka',
    '/channels',
    '/channels?q=news',
    '/changes',
    `/channels/${name}`,
    '/status',
    '/limits',
    '/v1/meta',
    '/v1/status',
    '/v1/status?format=md',
    '/v1/languages',
    '/v1/search?q=snow',
    '/v1/search?q=snow&sort=newest&facets=channel,lang',
    `/v1/search?q=snow&channel=${name}`,
    '/v1/search?q=snow&lang=fo',
    '/v1/search?q=snow&min_subscribers=10',
    '/v1/search?q=lang%3Ais%20snow',
    '/v1/search?q=snow&format=rss',
    '/v1/changes',
    '/v1/changes?q=snow',
    `/v1/changes?channel=${name}`,
    `/v1/channels/${name}`,
    '/v1/channels/nosuchchannel_x',
    `/v1/channels/${name}/posts`,
    `/v1/channels/${name}/posts?q=snow`,
    `/v1/channels/${name}/posts?format=rss`,
    `/v1/channels/${name}/posts/1`,
    `/v1/channels/${name}/posts/1/spread`,
    `/v1/channels/${name}/live`,
    ...['b', 'ba', 'news', 'zz', '%40ba', '%23ne'].map((q) => `/v1/suggest?q=${q}`),
    ...sorts.map((sort) => `/v1/channels?sort=${sort}&limit=100`),
    ...filters.flatMap((filter) => sorts.map((sort) => `/v1/channels?${filter}&sort=${sort}`)),
    ...words.flatMap((word) => sorts.map((sort) => `/v1/channels?q=${word}&sort=${sort}`)),
  ]
}

if (parentPort) {
  const port = parentPort
  // A platform without any of the channels, so that visits end at once and cost the service's thread nothing.
  const platform = createServer((_request, response) => response.writeHead(404).end())
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', () => resolve()))
  port.postMessage({ platform: `http://127.0.0.1:${(platform.address() as AddressInfo).port}` })
  const [{ url, name }] = (await once(port, 'message')) as [{ url: string; name: string }]
  // Compilation at the first request has nothing to do with the number of channels.
  for (const path of ['/', '/v1/search?q=snow', '/channels']) await ask(url, path)
  for (const path of requestsOf(name)) {
    port.postMessage({ path, status: null })
    await once(port, 'message')
    port.postMessage({ path, status: await ask(url, path) })
    await once(port, 'message')
  }
  port.postMessage('done')
}

/** Requests the path and, if there is one, its next page. */
async function ask(url: string, path: string): Promise<number> {
  const response = await fetch(url + path)
  const text = await response.text()
  const cursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1]
  if (cursor !== undefined) {
    const more = `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
    await (await fetch(url + path + more)).text()
  }
  return response.status
}
