import { renderGroupPost } from './group-posts.ts'
import { valueAt, type SimChannel } from './population.ts'
import { closing, frameOf, metaTags } from './render-page.ts'
import { renderPost } from './render-post.ts'
import { landingFrame } from './render-profile.ts'
import { escapeText } from './render-text.ts'
import type { Named } from './ground.ts'
import type { World } from './world.ts'

interface EmbedView {
  readonly world: World
  readonly named: Named | undefined
  readonly name: string
  readonly number: number
  readonly at: number
  /** Whether to show one member of an album alone. */
  readonly single: boolean
}

/** The widget at `/<name>/<number>?embed=1`: one post, or a sentence that says why there is none. */
export function renderEmbed(view: EmbedView): string {
  const { world, named, name, number, at } = view
  if (named?.kind === 'group') {
    const post = renderGroupPost(world, named, number, at)
    return widget(view, post ?? errorPost('Post not found'))
  }
  if (named?.kind !== 'channel') {
    return widget(view, errorPost(`Channel with username @${name} not found`))
  }
  const access = valueAt(named.access, at)
  if (access.state === 'withheld') return widget(view, errorPost(access.words))
  const slot = world.truth.slotOf(named, number, at)
  if (!slot) return widget(view, errorPost('Post not found'))
  const shown = world.truth.shownAt(named, slot, at)
  const frame = { ...frameOf(world, named, at), embed: true }
  if (!view.single || slot.size === 1) return widget(view, renderPost(shown, frame))
  const member = number - slot.number
  const media = shown.post.media[member]
  // If members have no captions of their own, the first has the only caption.
  const caption = shown.draft.extras.captions?.[member] ?? (member === 0 ? shown.post.text : '')
  const spec = shown.draft.media[member]
  return widget(
    view,
    renderPost(
      {
        post: {
          ...shown.post,
          number,
          albumNumbers: [],
          media: media ? [{ ...media, number: null }] : [],
          text: caption,
          entities: member === 0 ? shown.post.entities : [],
        },
        draft: { ...shown.draft, media: spec ? [spec] : [], extras: {} },
      },
      frame,
    ),
  )
}

function errorPost(words: string): string {
  return `<div class="tgme_widget_message text_not_supported_wrap err_message js-widget_message">
  <div class="tgme_widget_message_user"><i class="tgme_widget_message_user_photo" data-content="!"></i></div>
  <div class="tgme_widget_message_bubble">
    <a class="tgme_widget_message_bubble_logo" href="//core.telegram.org/widgets"></a>
    <div class="tgme_widget_message_error" dir="auto">${words.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</div>
  </div>
</div>`
}

function widget({ world, number, at }: EmbedView, post: string): string {
  return `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8">
    <title>Telegram Widget</title>
    <base target="_blank">
    <meta name="robots" content="noindex, nofollow" />
    <link href="//telegram.org/css/widget-frame.css?75" rel="stylesheet" media="screen">
    <script>TBaseUrl='//telegram.org/';</script>
  </head>
  <body class="widget_frame_base tgme_widget body_widget_post emoji_image nodark">
    ${post}
    <script src="//telegram.org/js/widget-frame.js?68"></script>
    <script>TWidgetPost.init();</script>
  </body>
</html>
${closing(world.seed, number, at)}`
}

/** The page at `/<name>/<number>`: the post's words in its head and a script that fetches the widget, but no message. */
export function renderPostPage(view: EmbedView & { readonly named: SimChannel }): string {
  const { world, named, name, number, at } = view
  const profile = world.profileAt(named, at)
  const slot = world.truth.slotOf(named, number, at)
  const words = slot ? world.truth.shownAt(named, slot, at).post.text : ''
  const cut = words.length > 1000 ? `${words.slice(0, 1000)}…` : words
  const image = profile.avatarUrl ?? 'https://telegram.org/img/t_logo_2x.png'
  return landingFrame({
    title: `Telegram: View @${name}`,
    robots: '',
    meta: metaTags(profile.title, image, cut === '' ? profile.description : cut, name, number),
    body: `<div class="tgme_page_widget_wrap" id="widget">
  <div class="tgme_page_widget"><script async src="https://telegram.org/js/telegram-widget.js?22" data-telegram-post="${escapeText(name)}/${number}" data-width="100%" data-mode="tme"></script></div>
  <div class="tgme_page_context_link_wrap"><a class="tgme_page_context_link" href="/s/${escapeText(name)}/${number}">Context</a></div>
</div>`,
    closing: closing(world.seed, number, at),
  })
}
