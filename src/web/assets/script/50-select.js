// Text that was selected is meant to be copied: letting go of it opens nothing.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('.body .text a')
  if (link && !getSelection().isCollapsed && getSelection().containsNode(link, true))
    event.preventDefault()
})
