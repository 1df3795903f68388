import { join } from 'node:path'
import { createPictureKeeper } from '../../src/crawl/picture-keeper.ts'
import { systemClock } from '../../src/model/clock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { createOwner } from '../../src/store/owner.ts'
import { openPictureFiles } from '../../src/store/picture-files.ts'
import { jpegOf } from './picture-bytes.ts'
import { UNHEARD_PICTURES } from '../unheard-events.ts'

/** Keeps pictures in a folder, and is killed without notice when this many files are written and the last has no row yet. */
const [folder = '', writes = ''] = process.argv.slice(2)
const retention = { deleted: 'redact', versions: 'keep', pictures: true } as const
await using store = await openStore({ kind: 'sqlite', folder, retention })
const files = openPictureFiles(join(folder, 'media'))
let written = 0
const keeper = createPictureKeeper({
  store,
  files: {
    ...files,
    async write(bytes) {
      const sha256 = await files.write(bytes)
      if (++written === Number(writes)) process.kill(process.pid, 'SIGKILL')
      return sha256
    },
  },
  source: {
    async picture(url) {
      const bytes = Buffer.concat([jpegOf(8, 6), Buffer.from(url)])
      return { kind: 'picture', type: 'jpeg', width: 8, height: 6, bytes, read: bytes.length }
    },
    async [Symbol.asyncDispose]() {},
  },
  limits: { pictureBytes: 10_000, dayBytes: 1e9, bytes: 1e9 },
  ratePerS: Infinity,
  clock: systemClock,
  isClockWrong: () => false,
  owner: createOwner(),
  events: UNHEARD_PICTURES,
})
await keeper.round(new AbortController().signal)
