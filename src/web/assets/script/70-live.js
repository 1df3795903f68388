// A switch beside a search: while it is on, new posts are counted as they arrive, and the count is a link to them.

const place = document.querySelector('[data-live]')

if (place && 'EventSource' in window) {
  const LEAST_WAIT_MS = 2_000
  const MOST_WAIT_MS = 60_000
  /** A stream that merely ends is open again before anybody has to be told. */
  const PATIENCE_MS = 5_000
  const LOST = 'Not available just now, trying again'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet'
  button.textContent = 'Live'
  button.setAttribute('aria-pressed', 'false')
  const news = document.createElement('span')
  news.setAttribute('role', 'status')
  place.append(button, ' ', news)
  const { title } = document
  let isOn = false
  let stream
  let timer
  let lostTimer
  let isLost = false
  let waitMs = LEAST_WAIT_MS
  let lastId = ''
  let count = 0

  const say = (...texts) => news.replaceChildren(...texts)

  /** Stored for this tab; undefined when the reader lets no page store anything. */
  function kept(work) {
    try {
      return work(sessionStorage)
    } catch {
      return undefined
    }
  }

  function show() {
    if (count === 0) return say(isLost ? LOST : 'Waiting for new posts')
    const link = document.createElement('a')
    link.href = place.dataset.newest
    link.textContent = `${count} new ${count === 1 ? 'post' : 'posts'}`
    say(link, isLost ? ` · ${LOST}` : '')
    document.title = `(${count}) ${title}`
  }

  function lose() {
    isLost = true
    show()
  }

  function regain() {
    clearTimeout(lostTimer)
    lostTimer = undefined
    isLost = false
  }

  function open() {
    const since = lastId === '' ? '' : `&since_id=${encodeURIComponent(lastId)}`
    stream = new EventSource(place.dataset.live + since)
    stream.addEventListener('open', () => {
      waitMs = LEAST_WAIT_MS
      regain()
      show()
    })
    for (const kind of ['begin', 'post', 'edit', 'deleted', 'lag', 'end']) {
      stream.addEventListener(kind, ({ lastEventId }) => (lastId = lastEventId))
    }
    stream.addEventListener('post', () => {
      count++
      show()
    })
    stream.addEventListener('error', ({ target }) => {
      if (target !== stream) return
      lostTimer ??= setTimeout(lose, PATIENCE_MS)
      // A browser reopens a broken connection by itself, but gives up after any status other than 200, so we try again.
      if (stream.readyState !== EventSource.CLOSED) return
      timer = setTimeout(open, waitMs)
      waitMs = Math.min(MOST_WAIT_MS, 2 * waitMs)
    })
  }

  button.addEventListener('click', () => {
    isOn = !isOn
    kept((tab) => tab.setItem('live', isOn ? place.dataset.live : ''))
    button.setAttribute('aria-pressed', String(isOn))
    clearTimeout(timer)
    regain()
    stream?.close()
    document.title = title
    if (!isOn) return say('')
    count = 0
    lastId = ''
    waitMs = LEAST_WAIT_MS
    open()
  })

  // Following continues when the reader opens the new posts, reloads the page or changes its order.
  if (kept((tab) => tab.getItem('live')) === place.dataset.live) button.click()
}
