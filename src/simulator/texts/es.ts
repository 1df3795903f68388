import { defineLanguage } from './language-text.ts'

export const es = defineLanguage({
  code: 'es',
  topics: {
    news: [
      'El ayuntamiento de {city} aprobó {plan} tras {n} horas de debate.',
      'Los vecinos de {city} piden que se suspenda {plan}.',
      'El puente sobre el río {name} se cerró {when}; las obras durarán {n} semanas.',
      'Los bomberos tardaron {n} horas en apagar el incendio de un almacén cerca de {city}.',
      'Miles de personas marcharon por {city} contra {plan}.',
      'Los arqueólogos hallaron cerca de {city} un muro de {N} años.',
    ],
    weather: [
      'Se espera {weather} en {city} {when}, con rachas de hasta {n} kilómetros por hora.',
      'La agencia de meteorología avisa de {weather} en la costa.',
      'Tras {n} días de sequía, los agricultores de {city} por fin vieron llover.',
      'El tiempo en {city} cambiará {when}: llega {weather}.',
      'El embalse de {name} está al {n} por ciento.',
    ],
    markets: [
      'Las acciones de {company} {moved} un {n} por ciento {when}.',
      'Los precios del {good} {moved} a la espera de la decisión del banco central.',
      '{company} ganó {N} millones, más de lo que preveían los analistas.',
      'El mercado abrió al alza, con {company} en cabeza.',
      '{company} despedirá a {N} trabajadores de su planta en {city}.',
    ],
    sport: [
      'El {club} venció al {club} por {n} a {n} en un partido inolvidable.',
      'El entrenador del {club} elogió a su joven portero, {name}.',
      'La corredora de {city} ganó la maratón con {n} segundos de ventaja.',
      'El capitán {name} se lesionó la rodilla y se perderá {n} partidos.',
      'Las entradas para la final se agotaron en {n} minutos.',
    ],
    health: [
      'Los médicos de {city} han registrado {n} casos de {illness} este mes.',
      'Un estudio con {N} voluntarios muestra que {habit} reduce el riesgo de {illness}.',
      'La clínica de la calle {name} vacuna a los niños contra {illness} {when}.',
      'La cirujana {name} operó durante {n} horas y salvó a las gemelas.',
      'El agua de {city} vuelve a ser potable, según el laboratorio.',
    ],
    technology: [
      'Los ingenieros de {company} presentaron {gadget} que funciona {n} días sin cargarse.',
      'Se descubrió un fallo en {gadget}; {company} ya publicó la actualización.',
      'Sale la versión {n} de la biblioteca libre {name}: más rápida y más sencilla.',
      'Estudiantes de {city} enseñaron a un ordenador a reconocer el canto de las aves.',
      'Unos piratas robaron {N} contraseñas de {company}.',
    ],
  },
  words: {
    city: 'Villaseca|Puerto Niebla|Monteclaro|Arroyo Hondo|Santa Brisa',
    plan: 'la nueva línea de tranvía|la subida del agua|la venta del viejo puerto|el comedor escolar gratuito|el impuesto a las casas vacías',
    when: 'el lunes|esta mañana|anoche|el jueves por la tarde|la próxima semana|ayer',
    weather: 'fuerte nevada|lluvia helada|niebla densa|tormenta con granizo|ola de calor',
    company: 'Helecho Azul|Tarnel Energía|Motores Cernícalo|Banco Granito|Lumenia',
    moved: 'subieron|cayeron|treparon|bajaron|se dispararon',
    good: 'trigo|cobre|gas natural|café|litio|aceite de oliva',
    club: 'Atlético Niebla|Zorros|Deportivo Monteclaro|Osos|Real Brisa',
    illness: 'sarampión|gripe|hipertensión|asma|diabetes|tosferina',
    habit:
      'caminar a diario|dormir ocho horas|comer con menos sal|lavarse las manos|dejar de fumar',
    gadget:
      'un teléfono plegable|un dron silencioso|un satélite pequeño|un transbordador eléctrico|un robot andante',
  },
  asides: [
    'Habrá más detalles.',
    'Lee la historia completa en nuestra web.',
    '¿Qué opinas? Cuéntalo en los comentarios.',
    'Nuestra reportera {name} está en el lugar.',
  ],
  questions: [
    '¿Quién ganará el sábado?',
    '¿Cómo vas al trabajo?',
    '¿Qué ayuda contra la {illness}?',
  ],
  titles: ['{city} hoy', 'El Correo de {city}', 'Apuntes sobre el {good}', 'Diario {name}'],
  descriptions: [
    'Noticias de {city} y alrededores, cada día.',
    'Qué mueve el precio del {good}. Solo cifras.',
  ],
  tags: 'noticias|tiempo|mercados|fútbol|salud|tecnología|opinión|urgente',
  people: 'Marta Quiroga|Óscar Barrios|Irene Calderón|Tomás Fuentes',
  lexicon: {
    onsets: 'b|br|c|ch|d|f|g|j|l|ll|m|n|ñ|p|pr|qu|r|s|t|tr|v|z',
    rimes: 'al|an|ar|el|en|er|in|ir|on|or|ad|o|a|e|ía|ur',
    endings: '|s|o|a|os|as|ar|ción',
    common:
      'de|la|que|el|en|y|a|los|se|del|las|un|por|con|no|una|su|para|es|al|lo|como|más|o|pero|sus|le|ha|me|si|sin|sobre|este|ya|entre|cuando|todo|esta|ser|son|dos|también|fue|había|era|muy|años|hasta|desde|está|ciudad|gente|día',
  },
})
