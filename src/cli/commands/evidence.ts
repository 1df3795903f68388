import { writeFile } from 'node:fs/promises'
import { createApp } from '../../app.ts'
import { parsePostRef } from '../../model/post-ref.ts'
import { TYPED_CATALOGUE } from '../../operations/catalogue.ts'
import { localCall } from '../ask.ts'
import { fileOf } from '../caller-folder.ts'
import { EXIT_CODES, UsageError, type CommandCall, type ExitCode } from '../command.ts'
import { formatBytes, shellWord } from '../format.ts'
import { TELEGREP } from '../invocation.ts'

export async function evidence(call: CommandCall): Promise<ExitCode> {
  const { print, config, secrets, signal } = call
  const [given = ''] = call.operands
  const ref = parsePostRef(given)
  if (ref === undefined)
    throw new UsageError(`expected a post such as durov/342; found ${JSON.stringify(given)}`)
  await using app = await createApp(config, secrets, { quiet: true })
  const input = { username: ref.username, slug: String(ref.number) }
  const { data, warnings, file } = await TYPED_CATALOGUE.get_evidence.invoke(
    app.context,
    input,
    localCall(signal),
  )
  const { name, length } = file!
  const output = call.flags['output']
  const chosen = typeof output === 'string' ? output : name
  const path = fileOf(call, chosen)
  await writeFile(path, file!.pieces())
  for (const { detail } of warnings) print.note(`note: ${detail}`)
  if (call.json) print.json({ file: path, ...data })
  else {
    print.line(`${path}, ${formatBytes(length)}, signed with key ${data.key_id}`)
    print.note(
      `Anyone can check it: ${TELEGREP} verify ${shellWord(chosen)} --key ${config.publicUrl}`,
    )
  }
  return EXIT_CODES.ok.code
}
