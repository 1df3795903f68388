// Loads the next page below this one when its link comes near; the link also works by itself. After a few pages the reader
// has to click, so that the footer can be reached and no quota is spent unnoticed.
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
