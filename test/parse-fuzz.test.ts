import { test } from 'node:test'
import { createRandom, damage, fixturePages, readAll } from './prove/parse-fuzz.ts'

test('the parser throws on none of a thousand damaged pages', () => {
  const pages = fixturePages()
  for (let i = 0; i < 1_000; i++) {
    const random = createRandom(i)
    const html = damage(pages[i % pages.length]!, pages, random)
    try {
      readAll(html, i)
    } catch (error) {
      throw new Error(`seed ${i}`, { cause: error })
    }
  }
})
