import { defineLanguage } from './language-text.ts'

export const fr = defineLanguage({
  code: 'fr',
  topics: {
    news: [
      'Le conseil de {city} a adopté {plan} après {n} heures de débat.',
      'Les habitants de {city} demandent l’abandon du projet : {plan}.',
      'Le pont sur la {name} est fermé {when} ; les travaux dureront {n} semaines.',
      'Les pompiers ont lutté {n} heures contre un incendie près de {city}.',
      'Des milliers de personnes ont défilé à {city} contre le projet de la mairie.',
      'Des archéologues ont dégagé près de {city} un mur vieux de {N} ans.',
    ],
    weather: [
      'On attend {weather} à {city} {when}, avec des rafales jusqu’à {n} kilomètres à l’heure.',
      'La météo annonce {weather} sur la côte.',
      'Après {n} jours de sécheresse, les agriculteurs ont enfin vu la pluie.',
      'Le temps va changer à {city} {when} : voici {weather}.',
      'Le barrage de {name} n’est rempli qu’à {n} pour cent.',
    ],
    markets: [
      'Les actions de {company} {moved} de {n} pour cent {when}.',
      'Les cours du {good} {moved}, les marchés attendent la banque centrale.',
      '{company} annonce un bénéfice de {N} millions d’euros.',
      'Le marché a ouvert en hausse, porté par {company}.',
      '{company} supprime {N} postes et ferme son usine de {city}.',
    ],
    sport: [
      '{club} a battu {club} {n} à {n} dans un match inoubliable.',
      'L’entraîneur de {club} a félicité son jeune gardien, {name}.',
      'La coureuse de {city} a gagné le marathon avec {n} secondes d’avance.',
      'Le capitaine {name}, blessé au genou, manquera {n} matchs.',
      'Les billets pour la finale sont partis en {n} minutes.',
    ],
    health: [
      'Les médecins de {city} ont compté {n} cas de {illness} depuis le début du mois.',
      'Une étude menée sur {N} volontaires montre que {habit} réduit le risque de {illness}.',
      'La clinique de la rue {name} vaccine les enfants contre la {illness}.',
      'La chirurgienne {name} a opéré {n} heures et sauvé les jumelles.',
      'L’eau de {city} est de nouveau potable, selon le laboratoire.',
    ],
    technology: [
      'Les ingénieurs de {company} ont présenté {gadget} qui tient {n} jours sans recharge.',
      'Une faille touche {gadget} ; {company} a publié une mise à jour.',
      'La version {n} de la bibliothèque libre {name} est sortie : plus rapide, plus simple.',
      'Des étudiants de {city} ont appris à un ordinateur à reconnaître les oiseaux.',
      'Des pirates ont volé {N} mots de passe chez {company}.',
    ],
  },
  words: {
    city: 'Valbrume|Port-Ancien|Montclairval|Fontsèche|Rivebelle',
    plan: 'une nouvelle ligne de tramway|la hausse du prix de l’eau|la vente du vieux port|la cantine gratuite|une taxe sur les maisons vides',
    when: 'lundi|ce matin|tard dans la nuit|jeudi soir|la semaine prochaine|hier',
    weather:
      'de fortes chutes de neige|de la pluie verglaçante|un épais brouillard|de violents orages|une canicule',
    company: 'Fougère Bleue|Tarnel Énergie|Crécerelle|Banque Granit|Lumenia',
    moved: 'ont grimpé|ont chuté|ont bondi|ont reculé|ont progressé',
    good: 'blé|cuivre|gaz naturel|café|lithium',
    club: 'Olympique Port-Ancien|les Renards|Étoile Valbrume|les Ours',
    illness: 'rougeole|grippe|tension|bronchite|coqueluche',
    habit:
      'marcher chaque jour|dormir huit heures|manger moins salé|se laver les mains|arrêter de fumer',
    gadget:
      'un téléphone pliant|un drone silencieux|un petit satellite|un bac électrique|un robot marcheur',
  },
  asides: [
    'Plus de détails à venir.',
    'Lisez toute l’histoire sur notre site.',
    'Qu’en pensez-vous ? Dites-le en commentaire.',
    'Notre journaliste {name} est sur place.',
  ],
  questions: [
    'Qui va gagner samedi ?',
    'Comment allez-vous au travail ?',
    'Que faire contre la {illness} ?',
  ],
  titles: [
    '{city} aujourd’hui',
    'Le Courrier de {city}',
    'Carnets du {good}',
    'Le Quotidien {name}',
  ],
  descriptions: [
    'Les nouvelles de {city} et des environs, chaque jour.',
    'Ce qui fait bouger le prix du {good}.',
  ],
  tags: 'actualités|météo|marchés|football|santé|technologie|opinion|urgent',
  people: 'Marthe Quillet|Octave Barreau|Irène Calmette|Timothée Fauvel',
  lexicon: {
    onsets: 'b|br|c|ch|d|f|g|gr|j|l|m|n|p|pl|r|s|t|tr|v',
    rimes: 'al|an|ar|eau|el|en|er|eur|in|ir|oi|on|or|ou|é|ique',
    endings: '|s|e|es|er|é|ment|tion',
    common:
      'de|la|le|et|les|des|en|un|du|une|que|est|pour|qui|dans|a|par|plus|pas|au|sur|ne|se|ce|il|sont|avec|aux|son|cette|ou|ses|mais|comme|on|tout|nous|sa|été|fait|être|deux|ces|même|leur|après|ans|sans|aussi|bien|ville|jour|gens',
  },
})
