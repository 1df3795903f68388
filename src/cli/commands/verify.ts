import { readFile } from 'node:fs/promises'
import { STAMP } from '../../evidence/package.ts'
import { readKeys, type PublicKey } from '../../evidence/signing-key.ts'
import { verifyPackage, type Problem, type Verdict } from '../../evidence/verify.ts'
import { contentSha256 } from '../../model/content-hash.ts'
import { readPost } from '../../operations/views/read-post.ts'
import { OperatorError } from '../../operator-error.ts'
import { fileOf, readGiven } from '../caller-folder.ts'
import { UsageError, type CommandCall, type Exit } from '../command.ts'
import { shellWord } from '../format.ts'
import { foreign } from '../print.ts'
import { showRow } from '../show-row.ts'
import { textFlag } from '../flag-values.ts'

const KEYS_PATH = '/.well-known/telegrep-key.json'
const TIMEOUT_MS = 15_000
const MAX_KEYS = 256 * 1024
const THE_KEY = 'the key'
const UNCHECKED =
  'NOT checked here; with the authority’s root certificate in root.pem, this line checks it:'

/**
 * Checks packages offline; only `--key <address>` makes a request, for the key alone. All packages are checked, even if one
 * fails.
 */
export async function verify(call: CommandCall): Promise<Exit> {
  const { print, operands } = call
  const keys = await keysOf(call)
  let bad = 0
  for (const [i, file] of operands.entries()) {
    if (i > 0 && !call.json) print.line()
    try {
      if (!(await check(call, file, keys))) bad++
    } catch (error) {
      if (operands.length === 1) throw error
      bad++
      const problem = { where: file, what: (error as Error).message }
      if (call.json) print.json({ file, verified: false, problems: [problem] })
      else print.line(print.style.red(problem.what))
    }
  }
  if (operands.length > 1 && !call.json)
    print.note(
      `${operands.length - bad} of ${operands.length} are as they were signed, by a key you trust.`,
    )
  return bad === 0 ? 'ok' : 'failed'
}

/** Resolves to whether the package is sound. */
async function check(
  call: CommandCall,
  file: string,
  keys: readonly PublicKey[] | undefined,
): Promise<boolean> {
  const bytes = await readGiven(call, file)
  if (!bytes.subarray(0, 2).equals(Buffer.from('PK')))
    throw new OperatorError(`${file} is no package of evidence: that would be a ZIP`)
  const verdict = verifyPackage(bytes, keys)
  const problems = [...verdict.problems, ...contentProblems(verdict)]
  const trustsOwn = call.flags['trust-embedded'] === true
  if (problems.length === 0 && !verdict.isKeyKnown && !trustsOwn)
    problems.push({ where: THE_KEY, what: strangerOf(verdict, keys) })
  if (call.json) call.print.json({ file, ...jsonOf(file, verdict, problems) })
  else show(call, file, { verdict, problems, isOwnTrusted: trustsOwn && !verdict.isKeyKnown })
  return problems.length === 0
}

/** Recomputes the post's own hash from the contents of the package. */
function contentProblems({ problems, files, manifest }: Verdict): Problem[] {
  const told = manifest?.subject['content_sha256']
  const post = files.find(({ name }) => name === 'post.json')?.bytes
  const isRedacted = typeof manifest?.subject['deleted_at'] === 'string'
  if (problems.length > 0 || !post || typeof told !== 'string' || isRedacted) return []
  const read = readPost(Buffer.from(post).toString(), Infinity)
  if (read.kind === 'post' && contentSha256(read.post) === told) return []
  return [{ where: 'post.json', what: 'its words do not give the hash of the content it names' }]
}

function strangerOf({ key }: Verdict, keys: readonly PublicKey[] | undefined): string {
  return keys
    ? `${key?.kid} signed it, and is none of those given`
    : `${key?.kid} signed it, and only the file itself says whose that is; name the archive with --key, or say --trust-embedded`
}

interface Checked {
  readonly verdict: Verdict
  readonly problems: readonly Problem[]
  readonly isOwnTrusted: boolean
}

function show({ print }: CommandCall, file: string, checked: Checked): void {
  const { problems, isOwnTrusted } = checked
  const { manifest, key, stampedSha256 } = checked.verdict
  const row = (name: string, value: string) =>
    showRow(print.style.bold(name.padEnd(12)), value, print)
  if (manifest) {
    const said = (name: string) => foreign(String(manifest.subject[name]))
    row('post', `${said('id')}, ${said('url')}`)
    row('published', said('published_at'))
    row('captured', `${said('first_captured_at')} to ${said('last_captured_at')}`)
  }
  if (key) row('key', `${key.kid}${isOwnTrusted ? ', which the file itself brought' : ''}`)
  row('timestamp', stampedSha256 ? UNCHECKED : 'none')
  if (stampedSha256) print.line(stampCheck(file, stampedSha256))
  for (const { where, what } of problems)
    print.line(print.style.red(`${foreign(where)}: ${foreign(what)}`))
  const isStranger = problems.every(({ where }) => where === THE_KEY)
  print.line(
    problems.length > 0
      ? print.style.red(
          isStranger
            ? `${file} is as it was signed, but NOT by a key you know`
            : `${file} is NOT as it was signed`,
        )
      : print.style.green(
          isOwnTrusted
            ? 'not a byte was changed since it was signed; by whom, only the file says'
            : 'not a byte was changed since it was signed by this key',
        ),
  )
}

/** The command that checks the timestamp, to be pasted into a shell. */
function stampCheck(file: string, sha256: string): string {
  const openssl = `openssl ts -verify -in /dev/stdin -digest ${sha256} -CAfile root.pem`
  return `unzip -p ${shellWord(file)} ${STAMP} | ${openssl}`
}

function jsonOf(file: string, verdict: Verdict, problems: readonly Problem[]) {
  const { manifest, key, isKeyKnown, stampedSha256 } = verdict
  return {
    verified: problems.length === 0,
    problems,
    subject: manifest?.subject ?? null,
    key_id: key?.kid ?? null,
    key_known: isKeyKnown,
    timestamp: stampedSha256 ? { checked: false, check: stampCheck(file, stampedSha256) } : null,
  }
}

/** From a file, or from an archive's address. */
async function keysOf(call: CommandCall): Promise<readonly PublicKey[] | undefined> {
  const given = textFlag(call, 'key')
  if (given === null) return undefined
  const isAddress = /^https?:\/\//i.test(given)
  const text = isAddress
    ? await fetchKeys(given, call.signal)
    : await readFile(fileOf(call, given), 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw new UsageError(`${given}: ${error.message}`)
      })
  const keys = readKeys(text)
  if (!keys) throw new UsageError(`expected the keys of an archive in ${given}, found none`)
  return keys
}

async function fetchKeys(address: string, signal: AbortSignal): Promise<string> {
  const url = new URL(address)
  if (url.pathname === '/') url.pathname = KEYS_PATH
  try {
    const signals = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await fetch(url, { signal: signals })
    if (!response.ok) throw new Error(`it answers ${response.status}`)
    return (await response.text()).slice(0, MAX_KEYS)
  } catch (error) {
    signal.throwIfAborted()
    const { name, message, cause } = error as Error
    const said = cause instanceof Error ? cause.message || message : message
    const why = name === 'TimeoutError' ? `it does not answer within ${TIMEOUT_MS / 1000} s` : said
    throw new OperatorError(`the key of ${url.href} could not be read: ${why}`, { cause: error })
  }
}
