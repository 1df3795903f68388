// What the pages already do by links and forms, only quicker. Nothing here is needed.
'use strict'

const cards = () => [...document.querySelectorAll('[data-card]')]
const isTyping = (target) => target.closest('input, select, textarea, [contenteditable]') !== null

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const search = document.querySelector('input[type=search]')
  if (event.key === '/' && !isTyping(event.target)) {
    event.preventDefault()
    search?.focus()
    search?.select()
  } else if (event.key === 'Escape' && event.target === search) {
    search.blur()
  } else if (['ArrowDown', 'ArrowUp', 'j', 'k'].includes(event.key) && !isTyping(event.target)) {
    const list = cards()
    if (list.length === 0) return
    event.preventDefault()
    const at = list.findIndex((card) => card.contains(document.activeElement))
    const step = event.key === 'ArrowDown' || event.key === 'j' ? 1 : -1
    const next = list[Math.min(list.length - 1, Math.max(0, at + step))]
    list.forEach((card) => card.classList.toggle('here', card === next))
    next.querySelector('a')?.focus()
    next.scrollIntoView({ block: 'nearest' })
  }
})

// Empty fields do not belong into a shareable address.
document.addEventListener('submit', (event) => {
  for (const field of event.target.querySelectorAll('input, select')) {
    if (field.name !== '' && field.value === '') field.disabled = true
  }
})
addEventListener('pageshow', () => {
  for (const field of document.querySelectorAll('input:disabled, select:disabled'))
    field.disabled = false
})

document.addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]')
  if (!button) return
  await navigator.clipboard.writeText(button.dataset.copy)
  const label = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = label
  }, 1500)
})

// Times in the reader's own zone, the exact one on hover.
for (const time of document.querySelectorAll('time[datetime]')) {
  const at = new Date(time.dateTime)
  time.title = `${at.toLocaleString()} (${time.dateTime})`
}

// The next page is put below this one when its link comes near; the link works by itself as well.
const seen = new IntersectionObserver(
  async (entries) => {
    const link = entries.find((entry) => entry.isIntersecting)?.target
    if (!link) return
    seen.unobserve(link)
    try {
      const reply = await fetch(link.href, { headers: { accept: 'text/html' } })
      if (!reply.ok) return
      const next = new DOMParser().parseFromString(await reply.text(), 'text/html')
      const list = document.querySelector('[data-scroll]')
      list.append(...next.querySelectorAll('[data-scroll] > *'))
      const following = next.querySelector('a[data-next]')
      if (following) {
        link.href = following.href
        seen.observe(link)
      } else link.remove()
    } catch {
      /* the link stays and works */
    }
  },
  { rootMargin: '600px' },
)
for (const link of document.querySelectorAll('a[data-next]')) seen.observe(link)
