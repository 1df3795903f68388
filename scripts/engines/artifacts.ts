import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { EngineError } from './engine-error.ts'
import type { Places } from './places.ts'
import { runTool } from './run-tool.ts'

/**
 * A file from a package registry. It is fetched with the registry's own tool, so that the machine's mirrors and proxies are
 * used, and trusted only by its checksum.
 */
export interface Artifact {
  readonly file: string
  readonly sha512: string
  readonly tool: string
  /** The arguments that make the tool put the file into `folder`. */
  argsFor(folder: string): string[]
}

/** The folder with the artifact's contents; fetched and unpacked the first time. */
export async function unpacked(artifact: Artifact, places: Places): Promise<string> {
  const folder = join(places.software, artifact.file.replace(/\.(zip|tgz|whl)$/, ''))
  if (existsSync(folder)) return folder
  const archive = await fetched(artifact, places.downloads)
  // Unpacked aside and renamed, so that the folder is always complete, whenever this process ends.
  const partial = `${folder}.${process.pid}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial)
  try {
    if (archive.endsWith('.tgz')) await runTool('tar', ['xzf', archive, '-C', partial])
    else await runTool('unzip', ['-q', archive, '-d', partial])
    if (!existsSync(folder)) renameSync(partial, folder)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  return folder
}

async function fetched(artifact: Artifact, downloads: string): Promise<string> {
  const target = join(downloads, artifact.file)
  if (existsSync(target)) {
    await verify(target, artifact.sha512)
    return target
  }
  // A separate folder for each, since both engines may be fetched at once.
  const partial = mkdtempSync(join(downloads, 'partial-'))
  try {
    console.error(`fetching ${artifact.file} with ${artifact.tool}`)
    await runTool(artifact.tool, artifact.argsFor(partial), {
      otherwise: `put ${artifact.file} into ${downloads} yourself`,
    })
    await verify(join(partial, artifact.file), artifact.sha512)
    renameSync(join(partial, artifact.file), target)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  return target
}

async function verify(file: string, sha512: string): Promise<void> {
  if (!existsSync(file)) throw new EngineError(`${file} was not fetched`)
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  if (hash.digest('hex') !== sha512) {
    throw new EngineError(`${file} is not the file that was expected: its SHA-512 differs`)
  }
}
