import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentSha256 } from '../model/content-hash.ts'
import type { Media, Post } from '../model/post.ts'
import { renderEmbed, renderPostPage } from '../simulator/render-embed.ts'
import { renderPage } from '../simulator/render-page.ts'
import type { SimChannel } from '../simulator/population.ts'
import { renderProfile } from '../simulator/render-profile.ts'
import { createWorld } from '../simulator/world.ts'
import { classifyEmbed } from './classify.ts'
import { parseEmbed } from './parse-embed.ts'
import { parseProfilePage } from './parse-landing.ts'
import { parsePage } from './parse-page.ts'
import { parsePostPage } from './parse-post-page.ts'

/** The simulated platform knows what it shows, so every field of every page is compared with its ground truth. */

const world = createWorld({ seed: 'parser', channels: 40, days: 20 })
const at = world.startAt

function view(channel: SimChannel, before: number | null) {
  const request = { before, after: null, around: null, q: null }
  return { world, channel, requestedName: world.usernameAt(channel, at), at, request }
}

/** MIME types of files and pictures of places follow from what a page shows; the ground truth does not list them. */
function comparable(post: Post): unknown {
  const media = post.media.map((item: Media) => ({
    ...item,
    mime: null,
    ...(item.kind === 'location' ? { thumbnailUrl: null } : {}),
    ...(item.kind === 'sticker' ? { width: null, height: null } : {}),
  }))
  // The platform trims what authors type; the simulator's options are cut wherever a word ended.
  const options = post.poll?.options.map((option) => ({ ...option, text: option.text.trim() }))
  return { ...post, media, poll: post.poll && { ...post.poll, options } }
}

/** The words of some posts are shown only in the app and in the head of their own page. */
function onPage(post: Post): Post {
  return post.orphan ? { ...post, text: '', entities: [] } : post
}

describe('simulated pages', () => {
  for (const channel of world.channels) {
    const name = world.usernameAt(channel, at)
    const truth = world.truth.channelAt(name, at)
    if (truth?.access !== 'open') continue
    test(name, () => {
      const truthPosts = new Map(world.truth.postsAt(name, at).map((post) => [post.number, post]))
      let before: number | null = null
      for (let pages = 0; pages < 8; pages++) {
        const page = parsePage(renderPage(view(channel, before)), { at })
        assert.deepEqual(page.warnings, [])
        assert.equal(page.state, truthPosts.size > 0 ? 'page' : 'no_posts')
        const profile = world.profileAt(channel, at)
        const platformId = truthPosts.size > 0 ? profile.platformId : null
        assert.deepEqual(page.profile, { ...profile, platformId })
        for (const post of page.posts) {
          const expected = truthPosts.get(post.number)
          assert.ok(expected, `${name}/${post.number} is not in the truth`)
          assert.deepEqual(comparable(post), comparable(onPage(expected)))
          if (!post.poll) assert.equal(contentSha256(post), contentSha256(onPage(expected)))
        }
        if (page.before === null) break
        assert.ok(before === null || page.before < before, 'cursors go down')
        before = page.before
      }
    })
  }
})

test('an embed is parsed like the page it belongs to', () => {
  const [channel] = world.channels
  const name = world.usernameAt(channel!, at)
  const posts = world.truth.postsAt(name, at)
  assert.ok(posts.length > 50)
  for (const post of posts.slice(-150)) {
    const asked = { world, named: channel, name, number: post.number, at, single: false }
    const embed = parseEmbed(renderEmbed(asked), { at })
    assert.ok(embed.kind === 'post', embed.kind)
    assert.equal(embed.platformId, channel!.platformId)
    assert.equal(embed.username, name)
    if (post.kind === 'service') assert.equal(embed.post.kind, 'service')
    else {
      assert.deepEqual(comparable(embed.post), comparable(onPage(post)))
      if (!post.poll) assert.equal(contentSha256(embed.post), contentSha256(onPage(post)))
    }
    const page = parsePostPage(renderPostPage({ ...asked, named: channel! }))
    assert.equal(page.number, post.number)
    if (post.text !== '' && post.text.length < 900) {
      assert.equal(page.text.replaceAll('\t', '\n'), post.text.replaceAll('\t', '\n').trim())
    }
  }
})

test('every kind of owner is recognised from the landing page', () => {
  const kindOf = { group: 'group', user: 'user', bot: 'bot' } as const
  assert.deepEqual([...new Set(world.peers.map(({ kind }) => kind))].toSorted(), [
    'bot',
    'group',
    'user',
  ])
  for (const named of world.peers) {
    const html = renderProfile({ world, named, name: named.username, at })
    const { state, profile } = parseProfilePage(html, { at })
    assert.equal(state, kindOf[named.kind])
    assert.equal(profile?.username, named.username)
  }
  const nobody = renderProfile({ world, named: undefined, name: 'nobody_here', at })
  assert.equal(parseProfilePage(nobody, { at }).state, 'nobody')
})

test('the landing page of a channel says whether it can be read', () => {
  const stateOf = { open: 'channel', preview_off: 'preview_disabled', withheld: 'restricted' }
  const crowd = createWorld({ seed: 'landing', channels: 300, days: 5 })
  const later = crowd.startAt + 30 * 86_400_000
  const seen = new Set<string>()
  for (const named of crowd.channels) {
    const name = crowd.usernameAt(named, later)
    const truth = crowd.truth.channelAt(name, later)
    if (!truth || truth.access === 'deleted') continue
    const html = renderProfile({ world: crowd, named, name, at: later })
    const { state, profile } = parseProfilePage(html, { at: later })
    seen.add(state)
    assert.equal(state, stateOf[truth.access])
    if (truth.access === 'withheld') continue
    assert.equal(profile?.title, truth.title)
    assert.equal(profile?.description, truth.description)
    assert.equal(profile?.avatarUrl, truth.avatarUrl)
    assert.equal(profile?.verified, truth.verified)
    assert.equal(profile?.subscribers?.value, truth.exactSubscribers)
    assert.equal(profile?.subscribers?.approx, false)
  }
  assert.deepEqual([...seen].sort(), ['channel', 'preview_disabled', 'restricted'])
})

test('an embed of another channel’s post with the same number is rejected', () => {
  const [channel, other] = world.channels
  const [name, others] = [world.usernameAt(channel!, at), world.usernameAt(other!, at)]
  const { number } = world.truth.postsAt(others, at).at(-1)!
  const html = renderEmbed({ world, named: other, name: others, number, at, single: false })
  assert.equal(classifyEmbed(html, { username: others.toUpperCase(), number, at }).kind, 'post')
  assert.equal(classifyEmbed(html, { username: name, number, at }).kind, 'broken')
})
