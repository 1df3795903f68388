/** The forms that led away from this page. */
const sent = new Set()
// Empty fields do not belong in an address that may be shared.
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return
  sent.add(event.target)
  for (const field of event.target.querySelectorAll('input, select')) {
    if (field.name !== '' && field.value === '') field.disabled = true
  }
})
addEventListener('pageshow', () => {
  for (const field of document.querySelectorAll('input:disabled, select:disabled')) {
    field.disabled = false
  }
  // Back from another search, the fields say again what this page shows. A list that was typed stays, to be corrected.
  for (const form of sent) if (!form.querySelector('textarea')) form.reset()
  sent.clear()
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
