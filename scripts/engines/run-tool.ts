import { execFile } from 'node:child_process'
import { EngineError } from './engine-error.ts'
import type { EngineUser } from './places.ts'

export interface ToolOptions {
  readonly folder?: string
  readonly user?: EngineUser
  /** What else to try when the tool is missing or fails. */
  readonly otherwise?: string
}

/** Runs a tool to its end and returns what it printed. */
export function runTool(
  tool: string,
  args: readonly string[],
  { folder, user, otherwise }: ToolOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: 1 << 26, ...user }
    execFile(tool, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      if (error.code === 'ENOENT') {
        const orElse = otherwise === undefined ? '' : `, or ${otherwise}`
        return reject(new EngineError(`${tool} is needed and not there: install it${orElse}`))
      }
      const told = `${stdout}\n${stderr}`.trim().split('\n').slice(-15).join('\n')
      const instead = otherwise === undefined ? '' : `\nif it cannot be made to work, ${otherwise}`
      return reject(new EngineError(`${tool} ${args.join(' ')} failed\n${told}${instead}`))
    })
  })
}
