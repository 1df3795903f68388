// Empty fields do not belong in an address that may be shared.
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
      // Only pages from a secure origin may write to the clipboard; a selection can be copied from any.
      const isCopied = document.execCommand('copy')
      button.textContent = isCopied ? 'Copied' : 'Selected: press Ctrl+C'
    }
  })
}
