import { spaced } from './counters.ts'
import { pictureUrl } from './media.ts'
import { valueAt } from './population.ts'
import { hash32 } from './random.ts'
import { closing, metaTags } from './render-page.ts'
import { escapeText, withEmoji, withLinks } from './render-text.ts'
import type { Named } from './ground.ts'
import type { World } from './world.ts'

interface ProfileView {
  readonly world: World
  /** Undefined when nobody has the name. */
  readonly named: Named | undefined
  /** As it was requested. */
  readonly name: string
  readonly at: number
}

const STOCK_IMAGE = 'https://telegram.org/img/t_logo_2x.png'

interface Landing {
  readonly verb: 'View' | 'Contact' | 'Launch'
  readonly title: string
  readonly image: string
  readonly description: string
  readonly isIndexed: boolean
  readonly body: string
}

/** The page at `/<name>`: its status is always 200, and its words say who has the name. */
export function renderProfile(view: ProfileView): string {
  return frame(view, landing(view))
}

/** The page of a free name, which a banned IP address gets whatever it asks for. */
export function renderContactPage(view: ProfileView): string {
  return renderProfile({ ...view, named: undefined })
}

function landing(view: ProfileView): Landing {
  const { world, named, name, at } = view
  if (named === undefined) return nobody(name)
  if (named.kind === 'channel') {
    const access = valueAt(named.access, at).state
    if (access === 'withheld') return withheld(name)
    const profile = world.profileAt(named, at)
    const subscribers = world.subscribersAt(named, at)
    const context =
      access === 'open'
        ? `<div class="tgme_page_context_link_wrap"><a class="tgme_page_context_link" href="/s/${name}">Preview channel</a></div>`
        : ''
    return {
      verb: 'View',
      title: profile.title,
      image: profile.avatarUrl ?? STOCK_IMAGE,
      description: profile.description,
      isIndexed: true,
      body: `${photo(name, profile.avatarUrl)}
<div class="tgme_page_title" dir="auto">
  <span dir="auto">${withEmoji(profile.title)}</span>${profile.verified ? '<i class="verified-icon"> ✔</i>' : ''}
</div>
<div class="tgme_page_extra">${amount(subscribers, 'subscriber')}</div>
${description(profile.description)}${action(name, 'View in Telegram')}
<!-- WEBOGRAM_BTN -->
${context}
${additional('view and join', profile.title)}`,
    }
  }
  return peerLanding(view, named)
}

function peerLanding({ at }: ProfileView, peer: Exclude<Named, { kind: 'channel' }>): Landing {
  const name = peer.username
  const image = peer.hasAvatar ? pictureUrl(hash32(name.length, name.charCodeAt(0)), at) : null
  const verified = peer.verified ? '<i class="verified-icon"> ✔</i>' : ''
  const title = withEmoji(peer.title)
  switch (peer.kind) {
    case 'group':
      return {
        verb: 'View',
        title: peer.title,
        image: image ?? STOCK_IMAGE,
        description: peer.description,
        isIndexed: true,
        body: `${photo(name, image)}
<div class="tgme_page_title" dir="auto">
  <span dir="auto">${title}</span>${verified}
</div>
<div class="tgme_page_extra">${amount(peer.members, 'member')}${peer.members > 0 ? `, ${spaced(peer.online)} online` : ''}</div>
${description(peer.description)}${action(name, 'View in Telegram')}
<!-- WEBOGRAM_BTN -->

${additional('view and join', peer.title)}`,
      }
    case 'bot':
      return {
        verb: 'Launch',
        title: peer.title,
        image: image ?? STOCK_IMAGE,
        description: peer.description,
        isIndexed: true,
        body: `${photo(name, image)}
<div class="tgme_page_title"><span dir="auto">${title}</span>${verified}</div>
<div class="tgme_page_extra">
  @${name}
</div>
<div class="tgme_page_extra">${spaced(peer.members)} monthly users</div>
${description(peer.description)}${action(name, 'Start Bot')}
<!-- WEBOGRAM_BTN -->
<!-- PRIVACY_BTN -->
${additional('launch', peer.title)}`,
      }
    case 'user':
      return {
        verb: 'Contact',
        title: peer.title,
        image: image ?? STOCK_IMAGE,
        description: `You can contact @${name} right away.`,
        isIndexed: true,
        body: `${photo(name, image)}
<div class="tgme_page_title"><span dir="auto">${title}</span>${verified}</div>
<div class="tgme_page_extra">
  @${name}
</div>


${action(name, 'Send Message')}
<!-- WEBOGRAM_BTN -->
<!-- PRIVACY_BTN -->
${additional('contact', peer.title)}`,
      }
  }
}

function nobody(name: string): Landing {
  return {
    verb: 'Contact',
    title: `Telegram: Contact @${name}`,
    image: STOCK_IMAGE,
    description: '',
    isIndexed: false,
    body: `<div class="tgme_page_icon">
  <i class="tgme_icon_user"></i>
</div>
<div class="tgme_page_description">
  If you have <strong>Telegram</strong>, you can contact <a class="tgme_username_link" href="tg://resolve?domain=${name}">@${name}</a> right away.
</div>
<div class="tgme_page_action">
  <a class="tgme_action_button_new" href="tg://resolve?domain=${name}">Send Message</a>
</div>
<!-- WEBOGRAM_BTN -->
<!-- PRIVACY_BTN -->`,
  }
}

function withheld(name: string): Landing {
  return {
    ...nobody(name),
    body: `<div class="tgme_page_icon">
  <i class="tgme_icon_user"></i>
</div>
<div class="tgme_page_description">
  If you have <strong>Telegram</strong>, you can view posts by <a class="tgme_username_link" href="tg://resolve?domain=${name}">@${name}</a> right away.
</div>
${action(name, 'View in Telegram')}
<!-- WEBOGRAM_BTN -->`,
  }
}

function photo(name: string, url: string | null): string {
  if (url === null) return ''
  return `<div class="tgme_page_photo">
  <a href="tg://resolve?domain=${name}"><img class="tgme_page_photo_image" src="${url}"></a>
</div>`
}

function amount(count: number, unit: string): string {
  if (count === 0) return `no ${unit}s`
  return `${spaced(count)} ${unit}${count === 1 ? '' : 's'}`
}

function description(text: string): string {
  return text === ''
    ? ''
    : `<div class="tgme_page_description" dir="auto">${withLinks(text)}</div>\n`
}

function action(name: string, label: string): string {
  return `<div class="tgme_page_action">
  <a class="tgme_action_button_new shine" href="tg://resolve?domain=${name}">${label}</a>
</div>`
}

function additional(verb: string, title: string): string {
  return `<div class="tgme_page_additional">
  If you have <strong>Telegram</strong>, you can ${verb} <br><strong>${withEmoji(title)}</strong> right away.
</div>`
}

function frame({ world, name, at }: ProfileView, page: Landing): string {
  return landingFrame({
    title: `Telegram: ${page.verb} @${name}`,
    robots: page.isIndexed ? '' : '<meta name="robots" content="noindex, nofollow">',
    meta: metaTags(page.title, page.image, page.description, name),
    body: page.body,
    closing: closing(world.seed, name.length, at),
  })
}

export function landingFrame(parts: {
  readonly title: string
  readonly robots: string
  readonly meta: string
  readonly body: string
  readonly closing: string
}): string {
  return `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8">
    <title>${escapeText(parts.title)}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1.0">
    ${parts.robots}${parts.meta}
    <link rel="icon" type="image/svg+xml" href="//telegram.org/img/website_icon.svg?4">
    <link href="//telegram.org/css/font-roboto.css?1" rel="stylesheet" type="text/css">
    <!--link href="/css/myriad.css" rel="stylesheet"-->
    <link href="//telegram.org/css/telegram.css?254" rel="stylesheet" media="screen">
  </head>
  <body class="no_transition">
    <div class="tgme_page_wrap">
      <div class="tgme_head_wrap">
        <div class="tgme_head">
          <a href="//telegram.org/" class="tgme_head_brand"></a>
          <a class="tgme_head_right_btn" href="//telegram.org/dl">
            Download
          </a>
        </div>
      </div>
      <div class="tgme_body_wrap">
        <div class="tgme_page">
          ${parts.body}
        </div>
      </div>
    </div>
    <div id="tgme_frame_cont"></div>
    <script src="//telegram.org/js/tgwallpaper.min.js?3"></script>
  </body>
</html>
${parts.closing}`
}
