import { createApp, type App } from '../../app.ts'
import { AppError } from '../../model/errors.ts'
import { TYPED_CATALOGUE } from '../../operations/catalogue.ts'
import { localCall } from '../ask.ts'
import { fileOf } from '../caller-folder.ts'
import { UsageError, type CommandCall, type Exit } from '../command.ts'
import { describeError, explain } from '../explain.ts'
import { openOutput } from '../export/output.ts'
import { formatBytes, shellWord } from '../format.ts'
import { TELEGREP } from '../invocation.ts'
import { postOf } from '../operands.ts'
import { textFlag } from '../flag-values.ts'

/** Of several posts, those without a package are named and the others are written. */
export async function evidence(call: CommandCall): Promise<Exit> {
  const { print, config, secrets, operands, signal } = call
  const posts = operands.map(postOf)
  if (posts.length > 1 && call.flags['output'] !== undefined)
    throw new UsageError(`--output is for one post; found ${posts.length}`)
  await using app = await createApp(config, secrets, { log: 'warn', signal })
  let written = ''
  let missing = 0
  for (const [i, post] of posts.entries()) {
    try {
      written = await writePackage(call, app, post)
    } catch (error) {
      if (posts.length === 1 || !(error instanceof AppError)) throw error
      missing++
      const problem = describeError(error, 'not_found')
      print.note(call.json ? JSON.stringify(problem) : `${operands[i]}: ${explain(error, call)}`)
    }
  }
  if (written !== '' && !call.json)
    print.note(
      `Anyone can check it: ${TELEGREP} verify ${shellWord(written)} --key ${config.publicUrl}`,
    )
  return missing === 0 ? 'ok' : 'rejected'
}

/** Resolves to the file's name. */
async function writePackage(
  call: CommandCall,
  { context }: App,
  post: ReturnType<typeof postOf>,
): Promise<string> {
  const { print, json, signal } = call
  const { get_evidence: operation } = TYPED_CATALOGUE
  const { data, warnings, file } = await operation.invoke(context, post, localCall(signal))
  const name = textFlag(call, 'output') ?? file!.name
  const path = fileOf(call, name)
  // An earlier package is replaced only by a complete one.
  await using output = await openOutput(path)
  for await (const piece of file!.pieces()) await output.write(piece)
  await output.end()
  for (const { detail } of warnings) print.note(`note: ${detail}`)
  if (json) print.json({ file: path, ...data })
  else print.line(`${path}, ${formatBytes(file!.length)}, signed with key ${data.key_id}`)
  return name
}
