// Shows times in the reader's own zone on hover, also in what is added to the page later.
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

function addLocalTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    const utc = `${time.dateTime.slice(0, 10)} ${time.dateTime.slice(11, 16)} UTC`
    if (!Number.isNaN(at.getTime())) time.title = `${exact.format(at)} (${utc})`
  }
}
addLocalTimes(document)
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) addLocalTimes(node)
  }
}).observe(document.body, { childList: true, subtree: true })
