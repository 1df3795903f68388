/**
 * A thousand stories of the simulator in eight languages: who said it first, in which order others followed and how, and
 * what their authors edited, compared with the truth. A number as argument sets the number of stories.
 */
import { judgeStories } from '../stories.ts'

const stories = Number(process.argv[2] ?? 1_000)
const ENOUGH = 0.99

const { wrong, ...verdict } = await judgeStories(stories, 2_026)
console.table(verdict)
for (const what of wrong) console.log(what)
const { first, order, came, kinds } = verdict
if (Math.min(first, order, came, kinds) < ENOUGH * stories) {
  console.error(`less than ${ENOUGH * 100} % were told as they were`)
  process.exitCode = 1
}
