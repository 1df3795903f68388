import type { Button, Forward, LinkPreview, Poll, Reaction, Reply } from '../model/post.ts'
import { safeUrl } from '../model/safe-url.ts'
import {
  attribute,
  findAllClass,
  findClass,
  findTag,
  hasClass,
  ownText,
  type Element,
} from './html.ts'
import { parsePlatformLink } from './links.ts'
import { parseCount } from './parse-count.ts'
import { background } from './parse-media.ts'
import { readEmoji } from './parse-emoji.ts'
import { oneLine, readLine, readText } from './parse-text.ts'
import type { ReadContext } from './parse-warning.ts'

/** The parts around a post's text: forward, reply, poll, preview, buttons, reactions. */

const MAX_ITEMS = 100

export function readForward(element: Element): Forward | null {
  const named = findClass(element, 'tgme_widget_message_forwarded_from_name')
  const name = readLine(named)
  if (!named || name === '') return null
  const url = safeUrl(attribute(named, 'href'))
  const link = url === null ? undefined : parsePlatformLink(url)
  return {
    name,
    username: link?.username ?? null,
    postUrl: link?.number ? `https://t.me/${link.username}/${link.number}` : privatePost(url),
    author: readLine(findClass(element, 'tgme_widget_message_forwarded_from_author')) || null,
  }
}

/** `t.me/c/<id>/<number>`, or `t.me/c/<id>/<topic>/<number>`: a post of a channel or group without a name. */
function privatePost(url: string | null): string | null {
  const path =
    url === null ? null : /^https?:\/\/t\.me\/c\/(\d{1,16})(?:\/\d{1,10})?\/(\d{1,10})/.exec(url)
  return path ? `https://t.me/c/${path[1]}/${path[2]}` : null
}

export function readReply(element: Element): Reply | null {
  const url = safeUrl(attribute(element, 'href'))
  if (url === null) return null
  const link = parsePlatformLink(url)
  const words =
    findClass(element, 'js-message_reply_text') ??
    findClass(element, 'tgme_widget_message_text') ??
    findClass(element, 'tgme_widget_message_metatext')
  return {
    url: link?.number ? `https://t.me/${link.username}/${link.number}` : (privatePost(url) ?? url),
    author: readLine(findClass(element, 'tgme_widget_message_author_name')) || null,
    text: (words && readText(words).text) || null,
  }
}

export function readPoll(element: Element): Poll {
  const options = findAllClass(element, 'tgme_widget_message_poll_option').slice(0, MAX_ITEMS)
  return {
    question: readLine(findClass(element, 'tgme_widget_message_poll_question')),
    type: readLine(findClass(element, 'tgme_widget_message_poll_type')),
    options: options.map((option) => ({
      text: readLine(findClass(option, 'tgme_widget_message_poll_option_text')),
      percent: readPercent(readLine(findClass(option, 'tgme_widget_message_poll_option_percent'))),
    })),
    voters: null,
  }
}

function readPercent(raw: string): number | null {
  const shown = /^(\d{1,3}(?:[.,]\d{1,4})?)\s*%$/.exec(raw)
  return shown ? Math.min(100, Number(shown[1]!.replace(',', '.'))) : null
}

export function readLinkPreview(element: Element): LinkPreview | null {
  const url = safeUrl(attribute(element, 'href'))
  if (url === null) return null
  const description = findClass(element, 'link_preview_description')
  return {
    url,
    siteName: readLine(findClass(element, 'link_preview_site_name')) || null,
    title: readLine(findClass(element, 'link_preview_title')) || null,
    description: (description && readText(description).text) || null,
    imageUrl:
      background(findClass(element, 'link_preview_image')) ??
      background(findClass(element, 'link_preview_right_image')) ??
      background(findClass(element, 'link_preview_video_thumb')),
  }
}

export function readButtons(keyboard: Element): Button[][] {
  return findAllClass(keyboard, 'tgme_widget_message_inline_row')
    .slice(0, MAX_ITEMS)
    .map((row) =>
      findAllClass(row, 'tgme_widget_message_inline_button').slice(0, MAX_ITEMS).map(readButton),
    )
    .filter((row) => row.length > 0)
}

/** A callback button links to its own post; that is not an address given by the author. */
function readButton(button: Element): Button {
  return {
    text: readLine(findClass(button, 'tgme_widget_message_inline_button_text') ?? button),
    url: hasClass(button, 'url_button') ? safeUrl(attribute(button, 'href')) : null,
  }
}

export function readReactions(element: Element, context: ReadContext): Reaction[] {
  const reactions: Reaction[] = []
  for (const shown of findAllClass(element, 'tgme_reaction').slice(0, MAX_ITEMS)) {
    const raw = oneLine(ownText(shown))
    const count = parseCount(raw, context.at)
    const custom = findTag(shown, 'tg-emoji')
    const customId = /^\d{1,20}$/.exec((custom && attribute(custom, 'emoji-id')) ?? '')?.[0] ?? null
    const picture = findClass(shown, 'emoji')
    const emoji = customId === null && picture ? readEmoji(picture).trim() || null : null
    const paid = hasClass(shown, 'tgme_reaction_paid')
    if (!count) context.warn('count_unreadable', raw)
    else if (paid || customId !== null || emoji !== null) {
      reactions.push({
        emoji: paid ? null : emoji,
        customId: paid ? null : customId,
        paid,
        count,
      })
    }
  }
  return reactions
}
