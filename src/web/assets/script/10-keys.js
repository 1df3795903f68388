// What the pages already do by links and forms, only quicker. Nothing here is needed. The files of this folder are served as
// one script in the order of their names, each in a block of its own.

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
