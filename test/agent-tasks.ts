/** What people ask an agent to do, and the tool call that should follow. `CHANNEL` and `OTHER` are indexed channels. */
export interface AgentTask {
  readonly task: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

const search = (task: string, input: AgentTask['input']): AgentTask => ({
  task,
  tool: 'search_posts',
  input,
})

export const AGENT_TASKS: readonly AgentTask[] = [
  search('What do channels say about snow?', { q: 'snow' }),
  search(
    'What did Iranian channels say about the strait since Monday, most seen first, without forwards?',
    { q: 'strait', lang: 'fa', since: 'monday', sort: 'views', forwards: 'exclude' },
  ),
  search('Find the exact words "not a single ship".', { q: '"not a single ship"' }),
  search('What is new on the harbour strike since yesterday in Kyiv time?', {
    q: 'harbour strike',
    since: 'yesterday',
    tz: 'Europe/Kyiv',
    sort: 'newest',
  }),
  search('The same story once, not every copy of it.', { q: 'market', collapse: 'duplicates' }),
  search('On which days of the last week was the market talked about?', {
    q: 'market',
    since: '7d',
    facets: ['day'],
    limit: 1,
  }),
  search('Which channels write most about football, and in which languages?', {
    q: 'football',
    facets: ['channel', 'lang'],
    limit: 1,
  }),
  search('Posts with a video about the storm.', { q: 'storm', has: ['video'] }),
  search('Polls of the last three days.', { has: ['poll'], since: '3 days ago' }),
  search('Rumours about the bank, but not about the river bank.', { q: 'bank -river' }),
  search('Posts about either the coach or the goalkeeper.', { q: 'coach OR goalkeeper' }),
  search('Everything under #markets this month.', { hashtag: ['markets'], since: 'this month' }),
  search('Who links to example.org?', { domain: ['example.org'], sort: 'newest' }),
  search('Who shares exactly this page?', { url: ['https://example.org/showcase'] }),
  search('Posts of two channels, side by side, about the election.', {
    q: 'election',
    channel: ['CHANNEL', 'OTHER'],
  }),
  search('News on the strike, leaving this channel out.', {
    q: 'strike',
    exclude_channel: ['CHANNEL'],
  }),
  search('Russian and Ukrainian posts about the weather.', { q: 'погода', lang: ['ru', 'uk'] }),
  search('What is passed on from this channel?', { forwarded_from: ['CHANNEL'] }),
  search('Posts that were changed after they were published, about the accident.', {
    q: 'accident',
    edited: 'only',
  }),
  search('Only what a hundred thousand people saw.', { q: 'market', min_views: 100_000 }),
  search('What do large channels say?', { q: 'game', min_subscribers: 10_000 }),
  search('The earliest post on the blackout.', { q: 'blackout', sort: 'oldest' }),
  search('Words that begin with "vaccin".', { q: 'vaccin*' }),
  search('What came in since I asked an hour ago?', { q: 'market', arrived_since: '1h' }),
  search('Who mentions this channel?', { mention: ['CHANNEL'] }),
  search('The full texts, three of them.', { q: 'game', detail: 'full', limit: 3 }),
  search('How will you read my query? Do not search.', { q: 'a OR (b -c)', explain: true }),
  search('Posts between the first and the tenth.', {
    q: 'council',
    since: '20 days ago',
    until: '10 days ago',
  }),
  {
    task: 'Which channels are there about technology?',
    tool: 'list_channels',
    input: { q: 'technology' },
  },
  {
    task: 'The largest English channels.',
    tool: 'list_channels',
    input: { lang: ['en'], sort: 'subscribers', limit: 5 },
  },
  {
    task: 'Who is this channel, and whom does it forward?',
    tool: 'get_channel',
    input: { username: 'CHANNEL' },
  },
  {
    task: 'What did this channel write a year ago about the bridge?',
    tool: 'list_channel_posts',
    input: { username: '@CHANNEL', q: 'bridge', order: 'oldest' },
  },
  {
    task: 'Its last photos.',
    tool: 'list_channel_posts',
    input: { username: 'CHANNEL', has: ['photo'], limit: 5 },
  },
  {
    task: 'What does it say right now?',
    tool: 'get_live_channel',
    input: { username: 't.me/CHANNEL', limit: 3 },
  },
  {
    task: 'Show me this post with its earlier versions.',
    tool: 'get_post',
    input: { username: 'CHANNEL', slug: 'SLUG' },
  },
  {
    task: 'Who said it first, and who copied it?',
    tool: 'get_spread',
    input: { username: 'CHANNEL', slug: 'SLUG' },
  },
  { task: 'I only know that the name begins with "mark".', tool: 'suggest', input: { q: 'mark' } },
  { task: 'Which languages can I filter by?', tool: 'list_languages', input: {} },
  { task: 'How many questions have I left today?', tool: 'get_meta', input: {} },
  { task: 'How fresh is what you search?', tool: 'get_status', input: {} },
  {
    task: 'A connector that knows two tools looks for a game.',
    tool: 'search',
    input: { query: 'who won the game?' },
  },
  { task: 'And reads what it found.', tool: 'fetch', input: { id: 'CHANNEL/SLUG' } },
  {
    task: 'Which numbers did channels correct since yesterday?',
    tool: 'list_changes',
    input: { kind: ['number'], since: 'yesterday' },
  },
  {
    task: 'Keep a signed copy of this post before it is deleted.',
    tool: 'get_evidence',
    input: { username: 'CHANNEL', slug: 'SLUG' },
  },
]
