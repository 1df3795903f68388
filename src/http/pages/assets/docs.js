// Shows the curl line of each form as it is filled in, and the reply in place when it is sent.
const keyField = document.querySelector('form.key input')
document.querySelector('form.key').addEventListener('submit', (event) => event.preventDefault())

function addressOf(form) {
  let path = form.dataset.path
  const query = new URLSearchParams()
  for (const field of form.querySelectorAll('[name]')) {
    const value = field.value.trim()
    if (field.dataset.in === 'path') {
      path = path.replace(`{${field.name}}`, encodeURIComponent(value || field.placeholder))
    } else if (value !== '') query.append(field.name, value)
  }
  const search = query.toString()
  return search === '' ? path : `${path}?${search}`
}

function showCurl(form) {
  const key = keyField.value === '' ? '' : " -H 'Authorization: Bearer $TELEGREP_KEY'"
  form.querySelector('.curl').textContent = `curl${key} '${form.dataset.base}${addressOf(form)}'`
}

async function send(form) {
  const shown = form.querySelector('.reply')
  shown.hidden = false
  shown.textContent = '…'
  const headers = keyField.value === '' ? {} : { Authorization: `Bearer ${keyField.value}` }
  try {
    const response = await fetch(addressOf(form), { headers })
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    const body = isJson && !text.includes('\n') ? JSON.stringify(JSON.parse(text), null, 2) : text
    const limit = response.headers.get('ratelimit') ?? ''
    shown.textContent = `${response.status} ${response.statusText}\nRateLimit: ${limit}\n\n${body}`
  } catch (error) {
    shown.textContent = String(error)
  }
}

for (const form of document.querySelectorAll('form.try')) {
  showCurl(form)
  form.addEventListener('input', () => showCurl(form))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}
keyField.addEventListener('input', () => document.querySelectorAll('form.try').forEach(showCurl))

for (const example of document.querySelectorAll('details.example')) {
  const show = async () => {
    const reply = await fetch(example.querySelector('a').href)
    if (!reply.ok) return
    const shown = document.createElement('pre')
    shown.tabIndex = 0
    shown.textContent = await reply.text()
    example.append(shown)
  }
  // The link stays where nothing comes.
  example.addEventListener('toggle', () => void show().catch(() => {}), { once: true })
}
