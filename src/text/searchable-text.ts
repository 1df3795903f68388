import type { Media, Post } from '../model/post.ts'

/** What a post is found by: its own text, and behind it, each on a line, a poll's words and those of its media. */
export function searchableText(post: Pick<Post, 'text' | 'poll' | 'media'>): string {
  if (post.poll === null && post.media.length === 0) return post.text
  const parts = [post.text]
  if (post.poll) parts.push(post.poll.question, ...post.poll.options.map((option) => option.text))
  for (const media of post.media) parts.push(...wordsOf(media))
  return parts.filter((part) => part !== '').join('\n')
}

/** Title, performer or description, and the name of the file; each once. A telephone number is shown, but not searched. */
function wordsOf({ kind, title, detail, fileName }: Media): Set<string> {
  const shown = kind === 'contact' ? [title, fileName] : [title, detail, fileName]
  return new Set(shown.filter((words) => words !== null))
}
