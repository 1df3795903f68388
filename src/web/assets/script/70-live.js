// A switch beside a search: while it is on, new posts are counted as they come, and the count leads to them.

const place = document.querySelector('[data-live]')

if (place && 'EventSource' in window) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet'
  button.textContent = 'Live'
  button.setAttribute('aria-pressed', 'false')
  const news = document.createElement('span')
  news.setAttribute('role', 'status')
  place.append(button, ' ', news)
  const { title } = document
  let stream
  let count = 0

  const say = (text) => news.replaceChildren(text)

  function show() {
    if (count === 0) return say('Waiting for new posts')
    const link = document.createElement('a')
    link.href = place.dataset.newest
    link.textContent = `${count} new ${count === 1 ? 'post' : 'posts'}`
    say(link)
    document.title = `(${count}) ${title}`
  }

  function stop() {
    stream?.close()
    stream = undefined
    button.setAttribute('aria-pressed', 'false')
  }

  button.addEventListener('click', () => {
    if (stream) {
      stop()
      say('')
      return
    }
    count = 0
    stream = new EventSource(place.dataset.live)
    button.setAttribute('aria-pressed', 'true')
    stream.addEventListener('open', show)
    stream.addEventListener('post', () => {
      count++
      show()
    })
    stream.addEventListener('error', () => {
      // The browser tries again by itself, unless the service refused.
      if (stream?.readyState !== EventSource.CLOSED) return
      stop()
      say('Not available just now')
    })
  })
}
