import { formsOf } from './irregular.ts'
import { createLightStemmer } from './light-stem.ts'

/**
 * Telugu in folded letters. A noun in -ం lengthens its last vowel before endings and in the plural (గ్రామం, గ్రామానికి,
 * గ్రామాలు), which makes it look like one in -ా (సినిమా, సినిమాలు); a loan word may end in a bare consonant or in -ు
 * (హైదరాబాద్, హైదరాబాదు).
 */
const endings = createLightStemmer({
  suffixes:
    `ం ము లు ల లో లోని లోకి లోనే కు కి కీ కూ ను ని తో పై గా లను లకు లతో లలో ల్లో ల్లోని లలోని లపై లుగా లోనూ చే చేత వల్ల కోసం నుండి నుంచి
    ంలో ంలోని ంలోకి ంతో ంపై ంగా ంలోనే ంలోనూ ములో మునకు మును ానికి ాన్ని ానికీ ాలు ాల ాలను ాలకు ాలతో ాలలు ాలలో ాల్లో ాలలోని ాల్లోని ాలపై ాలుగా
    ుడు ుడి ుని ుడికి ేమిటి
    ించు ించాడు ించింది ించారు ించాయి ించిన ించడం ించడానికి ించే ిస్తుంది ిస్తారు ిస్తాడు ించబడింది ించబడిన`.normalize(
      'NFD',
    ),
  min: 3,
  passes: 1,
})

const TELUGU = formsOf(`
  వ్యక్తి: వ్యక్తులు వ్యక్తుల ; మంత్రి: మంత్రులు మంత్రుల ; పేరు: పేర్లు పేర్ల ; ఊరు: ఊరిలో ఊళ్ళో ఊళ్లు
`)

export function stemTelugu(word: string): string {
  return TELUGU.get(word) ?? endings(word).replace(/(?<=.{4})[\u0c3e\u0c41\u0c4d]$/, '')
}
