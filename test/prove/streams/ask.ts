import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import type { Ask } from './readers.ts'

/** Asks a child process, which answers one question at a time. */
export async function ask<T>(child: ChildProcess, question: Ask | 'memory'): Promise<T> {
  const answered = once(child, 'message')
  child.send(question)
  const [answer] = (await answered) as [T]
  return answer
}
