import { defineLanguage } from './language-text.ts'

export const en = defineLanguage({
  code: 'en',
  topics: {
    news: [
      'The {body} of {city} has approved {plan} after {n} hours of debate.',
      'Residents of {city} are asking the {body} to stop {plan}.',
      'A bridge over the {name} river was closed {when} for repairs that will last {n} weeks.',
      'Teachers in {city} went on strike {when}, demanding smaller classes and higher pay.',
      'Firefighters spent {n} hours putting out a blaze in a warehouse near {city}; nobody was hurt.',
      'The {body} published a report on {plan}, and its authors are cautious.',
    ],
    weather: [
      '{weather} is expected in {city} {when}, with wind gusts of up to {n} kilometres an hour.',
      'Forecasters warn of {weatherLow} along the coast near {city}.',
      'After {n} dry days the farmers around {city} finally saw rain.',
      'Temperatures in {city} will fall to {n} degrees {when}.',
    ],
    markets: [
      'Shares of {company} {moved} by {n} percent {when}.',
      'The price of {good} {moved} as traders waited for news from the {body}.',
      '{company} reported a profit of {N} million, more than analysts had predicted.',
      'Exporters of {good} complain that freight costs have doubled within {n} weeks.',
    ],
    sport: [
      '{club} beat {club} {n}:{n} in a match that nobody will forget soon.',
      'The coach of {club} praised his young goalkeeper, {name}, after the game.',
      'Runner {name} finished the marathon in {city} {n} seconds ahead of her rivals.',
      '{club} signed a new striker {when}; the fee was not disclosed.',
    ],
    health: [
      'Doctors in {city} describe {n} cases of {illness} since the beginning of the month.',
      'A study of {N} volunteers found that {habit} lowers the risk of {illness}.',
      'The clinic on {name} street vaccinates children against {illness} {when}.',
      'Nurses say that {habit} would spare the hospitals of {city} thousands of visits.',
    ],
    technology: [
      'Engineers at {company} showed {gadget} that runs for {n} days on one charge.',
      'A flaw in {gadget} let strangers read messages; {company} has released an update.',
      'The university of {city} is building {gadget} together with {company}.',
      'Version {n} of the open library {name} is out: faster, smaller and easier to install.',
    ],
  },
  words: {
    body: 'council|parliament|regional court|ministry of transport|central bank|city assembly',
    city: 'Northwick|Harborview|Eastmere|Millbrook|Stonefield|Ashford Bay|Lakeside|Old Quarry',
    plan: 'a new tram line|higher water tariffs|the sale of the old port|a curfew for lorries|free school meals|a tax on empty houses',
    when: 'on Monday|this morning|late last night|on Thursday evening|next week|at the weekend|yesterday',
    weather: 'Heavy snow|Freezing rain|Thick fog|A severe thunderstorm|Bright sunshine|A heat wave',
    weatherLow: 'heavy snow|freezing rain|thick fog|flash floods|strong winds|black ice',
    company: 'Bluefern|Tarnwell Energy|Kestrel Motors|Orchid Airlines|Granite Bank|Lumenworks',
    moved: 'rose|fell|climbed|slipped|jumped|dropped',
    good: 'wheat|copper|natural gas|coffee|lithium|olive oil|silver',
    club: 'Harbor United|the Millbrook Foxes|Eastmere Rovers|the Stonefield Bears|Lakeside Athletic',
    illness: 'measles|influenza|high blood pressure|asthma|diabetes|whooping cough',
    habit: 'walking every day|sleeping eight hours|eating less salt|washing hands|quitting smoking',
    gadget:
      'a folding telephone|a quiet drone|a small satellite|an electric ferry|a walking robot|a speech recogniser',
  },
  asides: [
    'More details will follow.',
    'Read the whole story on our site.',
    'What do you think? Tell us in the comments.',
    'Our reporter {name} is on the spot.',
    'Subscribe so that you do not miss the next part.',
    'Photos were sent by our readers.',
  ],
  questions: [
    'Who will win on Saturday?',
    'Should the {body} stop {plan}?',
    'How do you travel to work?',
    'Which of these helps against {illness}?',
  ],
  titles: [
    '{city} Today',
    'The {city} Courier',
    'Notes on {good}',
    'Fans of {club}',
    'Quiet Technology',
    '{name} Daily',
  ],
  descriptions: [
    'News of {city} and around, every day.',
    'What moves the price of {good}. No advice, only numbers.',
    'Independent notes about {gadget} and everything near it.',
  ],
  tags: 'news|weather|markets|football|health|gadgets|opinion|breaking|longread',
  people: 'Martha Quill|Owen Barrow|Iris Caldwell|Tom Fenwick|Ada Marsh',
  lexicon: {
    onsets: 'b|br|c|cr|d|f|fl|g|gr|h|k|l|m|n|p|pl|r|s|st|t|tr|v|w',
    rimes: 'al|an|ar|el|en|er|ib|in|ist|old|on|or|um|un|ay|ee',
    endings: '|s|ed|ing|er|ly|ness|ment',
    common:
      'the|of|and|to|in|a|is|that|for|it|was|on|with|as|be|at|by|this|from|are|or|an|which|but|not|have|has|had|they|their|one|all|we|more|when|will|would|who|what|there|people|new|year|city|time|said|after|about|into|over',
  },
  space: ' ',
})
