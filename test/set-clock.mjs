/** Preloaded into a program and its threads: shifts the clock by the number of milliseconds that a file currently contains. */
import { readFileSync } from 'node:fs'

const file = process.env['TEST_CLOCK_FILE']
const real = Date.now
let readSince = -Infinity
let offset = 0

Date.now = () => {
  if (performance.now() - readSince > 50) {
    offset = Number(readFileSync(file, 'utf8'))
    readSince = performance.now()
  }
  return real() + offset
}
