import { test } from 'node:test'
import { createRandom, damage, fixturePages, readAll } from './prove/parse-fuzz.ts'

test('a thousand damaged pages are read without a throw', () => {
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
