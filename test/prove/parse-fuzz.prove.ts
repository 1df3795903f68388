import { parsePage } from '../../src/telegram/parse-page.ts'
import { processorMs } from '../processor-time.ts'
import { createRandom, damage, fixturePages, readAll } from './parse-fuzz.ts'

/**
 * 200 000 damaged pages (or as many as the first argument says): none may throw, break a promise of the parser or take long;
 * memory stays level; and the worst known inputs take time in proportion to their length.
 */

const count = Number(process.argv[2] ?? 200_000)
const failures: string[] = []
fuzz()
linear()
for (const failure of failures.slice(0, 20)) console.error(failure)
if (failures.length > 0) process.exitCode = 1

function fuzz(): void {
  const pages = fixturePages()
  const started = performance.now()
  let bytes = 0
  let slowest = { ms: 0, seed: 0, length: 0 }
  let heapAfterFirstTenth = 0
  let peak = 0
  for (let seed = 0; seed < count; seed++) {
    const html = damage(pages[seed % pages.length]!, pages, createRandom(seed))
    bytes += html.length
    const ms = processorMs(() => {
      try {
        readAll(html, seed)
      } catch (error) {
        failures.push(`seed ${seed}: ${String((error as Error).stack)}`)
      }
    })
    if (ms > slowest.ms) slowest = { ms, seed, length: html.length }
    if (seed % Math.max(1, Math.floor(count / 20)) === 0) {
      globalThis.gc?.()
      const { heapUsed } = process.memoryUsage()
      if (seed <= count / 10) heapAfterFirstTenth = Math.max(heapAfterFirstTenth, heapUsed)
      peak = Math.max(peak, heapUsed)
    }
  }
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${count} pages, ${(bytes / 1e9).toFixed(2)} GB, each read two ways, in ${seconds.toFixed(0)} s; ${failures.length} failures`,
  )
  console.log(
    `slowest ${slowest.ms.toFixed(0)} ms (seed ${slowest.seed}, ${slowest.length} characters)`,
  )
  console.log(
    `heap ${(heapAfterFirstTenth / 1e6).toFixed(0)} MB after a tenth, ${(peak / 1e6).toFixed(0)} MB at most`,
  )
  if (slowest.ms > 2_000) failures.push(`seed ${slowest.seed} took ${slowest.ms.toFixed(0)} ms`)
  if (peak > heapAfterFirstTenth * 2 + 64e6) failures.push('memory grows with the number of pages')
}

/** Shapes that make careless parsers quadratic; each is parsed at one length and at eight times that length. */
function linear(): void {
  const text = (body: string) =>
    `<div class="tgme_widget_message_wrap"><div class="tgme_widget_message" data-post="abcd/1"><div class="tgme_widget_message_text js-message_text">${body}</div><span class="tgme_widget_message_meta"><a class="tgme_widget_message_date"><time datetime="2026-08-30T12:00:00+00:00"></time></a></span></div></div></html>`
  const shapes: Record<string, (n: number) => string> = {
    'open tags': (n) => '<b>'.repeat(n / 3),
    'open blocks': (n) => text('<div>'.repeat(n / 5)),
    'closed tags': (n) => '</div>'.repeat(n / 6),
    'open and stray': (n) => '<div><i></b>'.repeat(n / 12),
    ampersands: (n) => text('&'.repeat(n)),
    'rare entities': (n) => text('&fjlig;'.repeat(n / 7)),
    'unfinished entities': (n) => text('&CounterClockwiseContourIntegra'.repeat(n / 31)),
    'entities in an attribute': (n) => `<a href="${'&not'.repeat(n / 4)}">`,
    attributes: (n) => `<a ${'x=1 '.repeat(n / 4)}>`,
    'same attribute': (n) => `<a ${'href=1 '.repeat(n / 7)}>`,
    'class tokens': (n) => `<a class="${'a '.repeat(n / 2)}">`,
    'class lists': (n) => Array.from({ length: n / 20 }, (_, i) => `<b class="k${i}">`).join(''),
    'spaces in text': (n) => text(`x${' '.repeat(n)}x`),
    'lines in text': (n) => text('x \n  '.repeat(n / 5)),
    'breaks in text': (n) => text('<br/>'.repeat(n / 5)),
    'wraps without end': (n) => '<div class="tgme_widget_message_wrap">'.repeat(n / 38),
    'messages in messages': (n) =>
      text('x')
        .slice(0, 130)
        .repeat(n / 130),
    'style without value': (n) =>
      text(`<i class="emoji" style="${'background-image'.repeat(n / 16)}">`),
    'style with brackets': (n) =>
      text(`<i class="emoji" style="background-image:url(${'('.repeat(n)}">`),
    'a date of digits': (n) => text(`<time datetime="${'9'.repeat(n)}">`),
    'a counter of digits': (n) =>
      text(`<span class="tgme_widget_message_views">${'9 '.repeat(n / 2)}`),
    comments: (n) => '<!--'.repeat(n / 4),
    dashes: (n) => `<!--${'-'.repeat(n)}`,
    cdata: (n) => '<![CDATA['.repeat(n / 9),
    quotes: (n) => `<a href="${"'".repeat(n)}`,
    links: (n) => text('<a href="https://x/">https://x/</a>'.repeat(n / 35)),
    slashes: (n) => `<a ${'/'.repeat(n)}>`,
  }
  const small = 250_000
  for (const [name, make] of Object.entries(shapes)) {
    const one = best(make(small))
    const eight = best(make(small * 8))
    // Three times the proportion, and a floor, leave room for the collector; quadratic work would take 64 times as long.
    const isLinear = eight <= Math.max(one * 24, 60)
    console.log(`${name.padEnd(26)} ${one.toFixed(1)} ms → ${eight.toFixed(1)} ms`)
    if (!isLinear) failures.push(`${name}: ${one.toFixed(1)} ms → ${eight.toFixed(1)} ms`)
  }
}

function best(html: string): number {
  let least = Infinity
  for (let i = 0; i < 3; i++) {
    least = Math.min(
      least,
      processorMs(() => parsePage(html, { at: Date.UTC(2026, 8, 1) })),
    )
  }
  return least
}
