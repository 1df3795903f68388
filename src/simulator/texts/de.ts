import { defineLanguage } from './language-text.ts'

export const de = defineLanguage({
  code: 'de',
  topics: {
    news: [
      'Der Stadtrat von {city} hat nach {n} Stunden Debatte {plan} beschlossen.',
      'Die Anwohner in {city} fordern, {plan} zu stoppen.',
      'Die Brücke über die {name} wurde {when} gesperrt, die Arbeiten dauern {n} Wochen.',
      'Feuerwehrleute löschten {n} Stunden lang einen Brand in einem Lagerhaus bei {city}.',
      'Tausende zogen {when} durch {city} und protestierten gegen die Pläne.',
      'Archäologen legten bei {city} eine {N} Jahre alte Mauer frei.',
    ],
    weather: [
      'In {city} wird {when} {weather} erwartet, mit Böen bis {n} Kilometern pro Stunde.',
      'Der Wetterdienst warnt vor {weatherDat} an der Küste.',
      'Nach {n} trockenen Tagen freuten sich die Bauern über den Regen.',
      'Das Wetter in {city} schlägt um: {weather} zieht heran.',
      'Der Stausee {name} ist nur noch zu {n} Prozent gefüllt.',
    ],
    markets: [
      'Die Aktien von {company} {moved} {when} um {n} Prozent.',
      'Die Preise für {good} {moved}, die Händler warten auf die Zentralbank.',
      '{company} meldete einen Gewinn von {N} Millionen Euro.',
      'Der Markt eröffnete im Plus, angeführt von {company}.',
      '{company} streicht {N} Stellen und schließt das Werk in {city}.',
    ],
    sport: [
      '{club} schlug {club} mit {n}:{n} in einem Spiel, das niemand vergisst.',
      'Der Trainer von {club} lobte seinen jungen Torwart {name}.',
      'Die Läuferin aus {city} gewann den Marathon mit {n} Sekunden Vorsprung.',
      'Kapitän {name} verletzte sich am Knie und fehlt {n} Spiele lang.',
      'Die Karten für das Finale waren in {n} Minuten vergriffen.',
    ],
    health: [
      'Ärztinnen in {city} meldeten seit Monatsbeginn {n} Fälle von {illness}.',
      'Eine Studie mit {N} Freiwilligen zeigt: {habit} senkt das Risiko für {illness}.',
      'Die Praxis in der {name}straße impft Kinder gegen {illness}.',
      'Chirurgin {name} operierte {n} Stunden und rettete die Zwillinge.',
      'Das Trinkwasser in {city} ist wieder sauber, sagt das Labor.',
    ],
    technology: [
      'Die Ingenieure von {company} zeigten {gadget} mit {n} Tagen Laufzeit.',
      'Eine Sicherheitslücke betrifft {gadget}; {company} hat ein Update veröffentlicht.',
      'Version {n} der freien Bibliothek {name} ist da: schneller, kleiner, einfacher.',
      'Studierende aus {city} brachten einem Rechner bei, Vögel am Gesang zu erkennen.',
      'Angreifer stahlen {N} Passwörter bei {company}.',
    ],
  },
  words: {
    city: 'Nordwick|Altenmoor|Felsbach|Lindenhafen|Grünwerder',
    plan: 'eine neue Straßenbahnlinie|höhere Wasserpreise|den Verkauf des alten Hafens|kostenloses Schulessen|eine Steuer auf leere Häuser',
    when: 'am Montag|heute Morgen|spät in der Nacht|am Donnerstagabend|nächste Woche|gestern',
    weather:
      'starker Schneefall|gefrierender Regen|dichter Nebel|ein schweres Gewitter|große Hitze',
    weatherDat:
      'starkem Schneefall|gefrierendem Regen|dichtem Nebel|schweren Gewittern|großer Hitze',
    company: 'Blaufarn|Tarnwerk Energie|Turmfalke Motoren|Granitbank|Lichtwerke',
    moved: 'stiegen|fielen|kletterten|sanken|sprangen',
    good: 'Weizen|Kupfer|Erdgas|Kaffee|Lithium|Olivenöl|Silber',
    club: 'Hafen 09|die Füchse Felsbach|Eintracht Altenmoor|die Bären|Seeblick',
    illness: 'Masern|Grippe|Bluthochdruck|Asthma|Diabetes|Keuchhusten',
    habit: 'ein täglicher Spaziergang|acht Stunden Schlaf|weniger Salz|Händewaschen|Nichtrauchen',
    gadget:
      'ein faltbares Telefon|eine leise Drohne|einen kleinen Satelliten|eine elektrische Fähre|einen gehenden Roboter',
  },
  asides: [
    'Weitere Einzelheiten folgen.',
    'Die ganze Geschichte steht auf unserer Seite.',
    'Was meint ihr? Schreibt es in die Kommentare.',
    'Unsere Reporterin {name} ist vor Ort.',
  ],
  questions: ['Wer gewinnt am Samstag?', 'Wie fahrt ihr zur Arbeit?', 'Was hilft gegen {illness}?'],
  titles: ['{city} heute', '{city}er Bote', 'Notizen über {good}', '{name} täglich'],
  descriptions: [
    'Nachrichten aus {city} und Umgebung, jeden Tag.',
    'Was den Preis für {good} bewegt. Nur Zahlen.',
  ],
  tags: 'nachrichten|wetter|märkte|fußball|gesundheit|technik|meinung|eilmeldung',
  people: 'Marta Quandt|Ole Barthold|Iris Kaltwasser|Tim Fenske',
  lexicon: {
    onsets: 'b|br|d|dr|f|g|gr|h|k|kl|l|m|n|p|r|s|sch|st|t|tr|w|z',
    rimes: 'al|an|ar|el|en|er|eim|in|ung|old|on|or|um|und|ähl|ög|ürf',
    endings: '|e|en|er|es|ung|lich|heit',
    common:
      'der|die|und|in|den|von|zu|das|mit|sich|des|auf|für|ist|im|dem|nicht|ein|eine|als|auch|es|an|werden|aus|er|hat|dass|sie|nach|wird|bei|einer|um|am|sind|noch|wie|einem|über|so|zum|kann|nur|aber|vor|durch|man|sein|wurde|Stadt|Jahr|Tag',
  },
})
