// Suggestions below the search box during typing, as a combobox with a list: arrows choose, Enter accepts, Esc closes.
const box = document.querySelector('.ask input[type=search]')
const WAIT_MS = 150
const LEAST_LETTERS = 2
/** Typing must not use up the quota for searching: below this share of a minute's requests nothing is suggested. */
const SPARE = 1 / 3

const list = document.createElement('ul')
const told = document.createElement('span')
let options = []
let chosen = -1
let isSpent = false
let timer
let asking

function prepare() {
  list.id = 'suggestions'
  list.className = 'suggestions'
  list.hidden = true
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Suggestions')
  told.className = 'unseen'
  told.setAttribute('role', 'status')
  box.after(list, told)
  const states = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false' }
  for (const [name, value] of Object.entries({ ...states, 'aria-controls': list.id })) {
    box.setAttribute(name, value)
  }
}

function close() {
  clearTimeout(timer)
  asking?.abort()
  options = []
  choose(-1)
  list.hidden = true
  list.replaceChildren()
  told.textContent = ''
  box.setAttribute('aria-expanded', 'false')
}

function choose(index) {
  chosen = index
  options.forEach(({ item }, i) => item.setAttribute('aria-selected', String(i === index)))
  if (index < 0) box.removeAttribute('aria-activedescendant')
  else box.setAttribute('aria-activedescendant', options[index].item.id)
}

/** The word that is being typed, with its `#` or `@`: the end of the last word, as in `-#tid` or `well-kno`. */
const begun = () => /[#@]?(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_\u200c\u200d]*)?$/u.exec(box.value)[0]
const kept = () => box.value.slice(0, box.value.length - begun().length)
/** What a query has before a word: a minus, a quote, a bracket, an alternative, the first part of a compound. */
const signs = () => /\S*$/u.exec(kept())[0]

/** Whether the name of a channel is being typed to search its posts. */
const isFrom = () => /^[-(]*from:$/u.test(signs())

const folded = (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/**
 * The typed text with its last word completed. An article stays before its word: l'amb becomes l'ambassadeur. The rest of
 * a word does not: it's becomes italy.
 */
function completed({ kind, value }) {
  if (kind === 'hashtag') return `${kept()}#${value}`
  const [, article = '', word = ''] = /^(.*['’])(.*)$/u.exec(begun()) ?? []
  return kept() + (folded(value).startsWith(folded(word)) ? article : '') + value
}

function take(suggestion) {
  close()
  if (suggestion.kind === 'channel' && !isFrom()) {
    location.assign(`/channels/${encodeURIComponent(suggestion.value)}`)
    return
  }
  box.value = completed(suggestion)
  box.form.requestSubmit()
}

function itemOf(suggestion, i) {
  const item = document.createElement('li')
  item.id = `suggestion-${i}`
  item.setAttribute('role', 'option')
  const name = document.createElement('bdi')
  const note = document.createElement('small')
  const isChannel = suggestion.kind === 'channel'
  name.textContent = isChannel ? `@${suggestion.value}` : completed(suggestion)
  note.textContent = isChannel ? suggestion.title || 'channel' : suggestion.kind
  item.append(name, ' ', note)
  // The box keeps the focus while the mouse chooses.
  item.addEventListener('mousedown', (event) => event.preventDefault())
  item.addEventListener('click', () => take(suggestion))
  return item
}

function show(suggestions) {
  options = suggestions.map((suggestion, i) => ({ suggestion, item: itemOf(suggestion, i) }))
  list.replaceChildren(...options.map(({ item }) => item))
  choose(-1)
  list.hidden = options.length === 0
  box.setAttribute('aria-expanded', String(options.length > 0))
  const many = options.length === 1 ? 'suggestion' : 'suggestions'
  told.textContent = options.length === 0 ? '' : `${options.length} ${many}, arrow down to choose`
}

/** Whether too little is left of this minute's requests. */
function isShort(headers) {
  const left = Number(/"burst";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? Infinity)
  const all = Number(/"burst";q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1] ?? 0)
  return left < all * SPARE
}

async function ask() {
  const typed = box.value
  // `#` and `@` have a meaning only where a word starts.
  const words = isFrom() ? `@${begun()}` : `${kept()} ${begun()}`.trimStart().slice(-100)
  asking?.abort()
  asking = new AbortController()
  try {
    const reply = await fetch(`/v1/suggest?limit=4&q=${encodeURIComponent(words)}`, {
      signal: asking.signal,
      headers: { accept: 'application/json' },
    })
    isSpent = !reply.ok || isShort(reply.headers)
    if (!reply.ok) return close()
    const { data } = await reply.json()
    // A channel is a place to go to, no word to exclude or to quote.
    const fitting = data.filter(({ kind }) => kind !== 'channel' || signs() === '' || isFrom())
    if (box.value === typed && document.activeElement === box) show(fitting.slice(0, 8))
  } catch {
    // Another letter was typed, or the server does not answer; the box works without suggestions.
  }
}

function onInput(event) {
  clearTimeout(timer)
  const last = begun().replace(/^[@#]/u, '')
  // No word of a post completes the value of an operator, as in lang:ru.
  const isValue = /^[-(]*[a-z_]+:/u.test(signs()) && !isFrom()
  const isBrief = [...last].length < LEAST_LETTERS
  if (isSpent || event.isComposing || isValue || isBrief) return close()
  timer = setTimeout(ask, WAIT_MS)
}

function onKey(event) {
  if (list.hidden || event.isComposing) return
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step !== undefined) {
    event.preventDefault()
    // Past either end nothing is chosen, and the typed text stays.
    const places = options.length + 1
    choose(((chosen + 1 + step + places) % places) - 1)
  } else if (event.key === 'Enter' && chosen >= 0) {
    event.preventDefault()
    take(options[chosen].suggestion)
  } else if (event.key === 'Escape') {
    event.preventDefault()
    close()
  }
}

if (box) {
  prepare()
  box.addEventListener('input', onInput)
  box.addEventListener('keydown', onKey)
  box.addEventListener('blur', close)
}
