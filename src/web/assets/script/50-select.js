// Selected text is meant to be copied, so releasing the mouse on a link in it opens nothing.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('.body .text a')
  if (link && !getSelection().isCollapsed && getSelection().containsNode(link, true))
    event.preventDefault()
})
