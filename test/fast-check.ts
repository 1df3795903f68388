import fc from 'fast-check'

/**
 * Draws the same cases in every run, so that a change is judged by what it changed. `TEST_SEED=random` draws new ones, as
 * `npm run prove -- properties` does; a number repeats those of a failure.
 */
const wanted = process.env['TEST_SEED'] ?? '1'
const seed = wanted === 'random' ? Math.trunc(Math.random() * 2 ** 31) : Number(wanted)
fc.configureGlobal({ seed })

export default fc
