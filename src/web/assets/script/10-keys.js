// Shortcuts for what the pages already do with links and forms; nothing here is needed. The files of this folder are served
// as one script in the order of their names, each in a block of its own.

const searchBox = document.querySelector('input[type=search]')
const isTyping = (target) => target.closest('input, select, textarea, [contenteditable]') !== null

const cardsOf = () => [...document.querySelectorAll('[data-card]')]
const here = (cards) => cards.findIndex((card) => card.contains(document.activeElement))

/** Moves to the card above or below the focused one, else to the first in view; above the first card is the search box. */
function move(step) {
  const cards = cardsOf()
  const at = here(cards)
  const inView = () => cards.findIndex((card) => card.getBoundingClientRect().bottom > 0)
  const isAtBox = document.activeElement === searchBox
  const next = cards[at >= 0 || isAtBox ? Math.min(cards.length - 1, at + step) : inView()]
  for (const card of cards) card.classList.toggle('here', card === next)
  if (!next) return searchBox?.focus()
  const link = next.querySelector('[data-open]') ?? next.querySelector('a')
  link?.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

/** Whether an arrow key scrolls: when no card has the focus, when that end of the focused card is out of view, or after the last. */
function isScrolling(step) {
  const cards = cardsOf()
  const at = here(cards)
  if (at < 0 || (step > 0 && at === cards.length - 1)) return true
  const { top, bottom } = cards[at].getBoundingClientRect()
  return step > 0 ? bottom > innerHeight + 1 : top < -1
}

/** Undefined when the reader lets no page store anything. */
function kept(work) {
  try {
    return work(localStorage)
  } catch {
    return undefined
  }
}

const hasKeys = () => kept((storage) => storage.getItem('keys')) !== 'off'
const keysSwitch = document.querySelector('[data-keys]')
if (keysSwitch) {
  keysSwitch.closest('p').hidden = false
  keysSwitch.checked = hasKeys()
  keysSwitch.addEventListener('change', () =>
    kept((storage) => storage.setItem('keys', keysSwitch.checked ? 'on' : 'off')),
  )
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  const isBox = event.target === searchBox
  const isFree = !isTyping(event.target)
  // With voice control, a spoken letter may not be meant as a key.
  if (event.key.length === 1 && !(isFree && hasKeys())) return
  const arrow = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const step = arrow ?? { j: 1, k: -1 }[event.key]
  if (event.key === '/' && isFree) {
    event.preventDefault()
    searchBox?.focus()
    searchBox?.select()
  } else if (event.key === 'Escape' && isBox) {
    // By default, Escape would clear a search box.
    event.preventDefault()
    searchBox.blur()
  } else if (step !== undefined && document.querySelector('[data-card]')) {
    // Letters are typed in the box; the down arrow leaves it.
    if (isBox ? arrow !== 1 : !isFree || (arrow !== undefined && isScrolling(step))) return
    event.preventDefault()
    move(step)
  }
})
