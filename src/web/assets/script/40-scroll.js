// The next page is put below this one when its link comes near; the link works by itself as well. After a while the
// reader decides, so that the foot can be reached and quotas are not spent unseen.
const AUTOMATIC = 5
let loaded = 0
const seen = new IntersectionObserver(
  async (entries) => {
    const link = entries.find((entry) => entry.isIntersecting)?.target
    if (!link) return
    seen.unobserve(link)
    try {
      const reply = await fetch(link.href, { headers: { accept: 'text/html' } })
      if (!reply.ok) return
      const next = new DOMParser().parseFromString(await reply.text(), 'text/html')
      document.querySelector('[data-scroll]').append(...next.querySelectorAll('[data-scroll] > *'))
      const following = next.querySelector('a[data-next]')
      if (!following) return link.remove()
      link.href = following.href
      loaded += 1
      if (loaded < AUTOMATIC) seen.observe(link)
    } catch {
      // The link stays and works.
    }
  },
  { rootMargin: '600px' },
)
for (const link of document.querySelectorAll('a[data-next]')) seen.observe(link)
