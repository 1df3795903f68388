// What the pages already do by links and forms, only quicker. Nothing here is needed.
'use strict'

const searchBox = document.querySelector('input[type=search]')
const isTyping = (target) => target.closest('input, select, textarea, [contenteditable]') !== null

/** The card above or below the one that has the focus; above the first stands the search box. */
function move(step) {
  const cards = [...document.querySelectorAll('[data-card]')]
  const at = cards.findIndex((card) => card.contains(document.activeElement))
  const next = cards[Math.min(cards.length - 1, at + step)]
  for (const card of cards) card.classList.toggle('here', card === next)
  if (!next) return searchBox?.focus()
  const link = next.querySelector('[data-open]') ?? next.querySelector('a')
  link?.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  const isBox = event.target === searchBox
  const isFree = !isTyping(event.target)
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
  if (event.key === '/' && isFree) {
    event.preventDefault()
    searchBox?.focus()
    searchBox?.select()
  } else if (event.key === 'Escape' && isBox) {
    searchBox.blur()
  } else if (step !== undefined && document.querySelector('[data-card]')) {
    // Letters are typed in the box; the arrow down leaves it.
    if (!isFree && !(isBox && event.key === 'ArrowDown')) return
    event.preventDefault()
    move(step)
  }
})

// Empty fields do not belong into a shareable address.
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return
  for (const field of event.target.querySelectorAll('input, select')) {
    if (field.name !== '' && field.value === '') field.disabled = true
  }
})
addEventListener('pageshow', () => {
  for (const field of document.querySelectorAll('input:disabled, select:disabled')) {
    field.disabled = false
  }
})

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy)
    getSelection().selectAllChildren(source)
    try {
      await navigator.clipboard.writeText(source.textContent)
      button.textContent = 'Copied'
    } catch {
      // Only pages from a secure address may write to the clipboard.
      button.textContent = 'Selected: press Ctrl+C'
    }
  })
}

/** The reader's own time on hover. */
function addLocalTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    time.title = new Date(time.dateTime).toLocaleString()
  }
}
addLocalTimes(document)

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
      addLocalTimes(next)
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
