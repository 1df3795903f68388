import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_TIERS, parseTiers, type Tiers } from './access/tiers.ts'
import { ConfigError, type Config, type Secrets } from './config.ts'
import { OperatorError } from './operator-error.ts'
import { isIndexRemote } from './search/index-location.ts'
import { ifThere, makeFolder } from './store/file-system.ts'
import { isStoreRemote } from './store/store-location.ts'

const MIN_SECRET = 16

/** Whether the store or the index is in the data folder. */
export function keepsFiles({ store, index }: Config): boolean {
  return !isStoreRemote(store) || !isIndexRemote(index)
}

/** Creates the data folder if something is kept in it. */
export async function prepareDataFolder(config: Config): Promise<void> {
  if (keepsFiles(config)) await prepareFolder(config.dataFolder, 'TELEGREP_DATA')
}

/**
 * Creates a folder for a store, accessible to its owner alone. Throws an OperatorError that names the folder, by which
 * variable or flag it was given, and the problem.
 */
export async function prepareFolder(folder: string, givenBy: string): Promise<void> {
  try {
    makeFolder(folder)
    await access(folder, USED)
    await expectOwn(folder)
  } catch (error) {
    const { code = '', path } = error as NodeJS.ErrnoException
    const why = UNUSABLE[code] ?? (error as Error).message
    const where = code === 'EEXIST' || code === 'ENOTDIR' ? folder : (path ?? folder)
    throw new OperatorError(`${givenBy} ${where}: ${why}`, { cause: error })
  }
}

const UNUSABLE: Readonly<Record<string, string>> = {
  EEXIST: 'a file stands there, expected a folder',
  ENOTDIR: 'a file stands there, expected a folder',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOENT: 'no folder can be made there',
}

const USED = constants.R_OK | constants.W_OK | constants.X_OK
const DATABASE = /\.(?:db|sqlite)(?:-wal|-shm)?$/

/** A command that another user once ran may have left files behind that only that user can write. */
async function expectOwn(dataFolder: string): Promise<void> {
  for (const folder of [dataFolder, join(dataFolder, 'index')]) {
    const names = (await ifThere(readdir(folder))) ?? []
    if (names.length > 0) await access(folder, USED)
    for (const name of names.filter((each) => DATABASE.test(each))) {
      await ifThere(access(join(folder, name), constants.R_OK | constants.W_OK))
    }
  }
}

/**
 * The configured secret, or the one created in the data folder at the first start. It is written aside and linked into
 * place, so that processes starting together agree and none reads half of it.
 */
export async function readSecret(config: Config, secrets: Secrets): Promise<string> {
  if (secrets.secret !== null) return secrets.secret
  if (isStoreRemote(config.store)) {
    throw new ConfigError([
      'TELEGREP_SECRET is needed with TELEGREP_DATABASE_URL: the same for every process, at least 16 characters',
    ])
  }
  const file = join(config.dataFolder, 'secret')
  const known = await ifThere(readFile(file, 'utf8'))
  if (known !== undefined) return longEnough(known, file)
  await prepareDataFolder(config)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const made = randomBytes(32).toString('base64url')
  try {
    await writeFile(draft, made, { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}

/** With half a secret, signatures could be forged; a new one would invalidate every key. The operator has to choose. */
function longEnough(secret: string, file: string): string {
  if (secret.trim().length >= MIN_SECRET) return secret
  const found = secret === '' ? 'is empty' : `has fewer than ${MIN_SECRET} characters`
  throw new OperatorError(
    `${file} ${found}; put it back from a backup, or delete it to have a new one made: all keys and cursors then become invalid`,
  )
}

/** The operator's tiers, or `others` when no file is configured. Throws a ConfigError that names the file and the problem. */
export async function readTiers(config: Config, others = DEFAULT_TIERS): Promise<Tiers> {
  if (config.tiersFile === null) return others
  try {
    return parseTiers(await readFile(config.tiersFile, 'utf8'))
  } catch (error) {
    const why = whyUnread(error, 'a file of tiers in JSON')
    throw new ConfigError([`TELEGREP_TIERS ${config.tiersFile}: ${why}`])
  }
}

/** The names in a list of channels: one per line; `#` starts a comment. */
export function channelLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

/** The channels listed in the file TELEGREP_CHANNELS; none when it is unset. */
export async function readChannelsFile(config: Config): Promise<string[]> {
  if (config.channelsFile === null) return []
  try {
    return channelLines(await readFile(config.channelsFile, 'utf8'))
  } catch (error) {
    const why = whyUnread(error, 'a file with a channel a line')
    throw new ConfigError([`TELEGREP_CHANNELS ${config.channelsFile}: ${why}`])
  }
}

/** Says in words why a file could not be read, and what was expected. */
function whyUnread(error: unknown, expected: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  const found = code === undefined ? undefined : UNREAD[code]
  return found === undefined ? message : `expected ${expected}, found ${found}`
}

const UNREAD: Readonly<Record<string, string>> = {
  ENOENT: 'nothing there',
  ENOTDIR: 'nothing there',
  EISDIR: 'a folder',
  EACCES: 'what this user may not read',
}
