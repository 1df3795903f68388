import type { Post } from '../model/post.ts'

/** What a post is found by: its own text, and behind it, each on a line, a poll's words and the names of files. */
export function searchableText(post: Post): string {
  if (post.poll === null && post.media.length === 0) return post.text
  const parts = [post.text]
  if (post.poll) parts.push(post.poll.question, ...post.poll.options.map((option) => option.text))
  for (const media of post.media) {
    if (media.title !== null) parts.push(media.title)
    if (media.fileName !== null && media.fileName !== media.title) parts.push(media.fileName)
  }
  return parts.filter((part) => part !== '').join('\n')
}
