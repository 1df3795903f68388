import { defineLanguage } from './language-text.ts'

export const pt = defineLanguage({
  code: 'pt',
  topics: {
    news: [
      'A câmara de {city} aprovou {plan} depois de {n} horas de debate.',
      'Os moradores de {city} pedem à prefeitura que suspenda {plan}.',
      'A ponte sobre o rio {name} foi fechada {when}; as obras vão durar {n} semanas.',
      'Os bombeiros levaram {n} horas para apagar o fogo num armazém perto de {city}.',
      'Milhares de pessoas marcharam em {city} contra {plan}.',
      'Arqueólogos acharam perto de {city} um muro de {N} anos.',
    ],
    weather: [
      'Espera-se {weather} em {city} {when}, com rajadas de até {n} quilômetros por hora.',
      'Os meteorologistas alertam para {weather} no litoral.',
      'Depois de {n} dias de seca, os agricultores finalmente viram a chuva.',
      'O tempo vai virar em {city} {when}: vem aí {weather}.',
      'A represa de {name} está com apenas {n} por cento.',
    ],
    markets: [
      'As ações da {company} {moved} {n} por cento {when}.',
      'Os preços do {good} {moved} enquanto o mercado espera o banco central.',
      'A {company} lucrou {N} milhões, acima das previsões.',
      'O mercado abriu em alta, puxado pela {company}.',
      'A {company} vai demitir {N} funcionários em {city}.',
    ],
    sport: [
      'O {club} venceu o {club} por {n} a {n} numa partida inesquecível.',
      'O técnico do {club} elogiou o jovem goleiro {name}.',
      'A corredora de {city} venceu a maratona com {n} segundos de vantagem.',
      'O capitão {name} machucou o joelho e perderá {n} jogos.',
      'Os ingressos da final acabaram em {n} minutos.',
    ],
    health: [
      'Os médicos de {city} registraram {n} casos de {illness} neste mês.',
      'Um estudo com {N} voluntários mostrou que {habit} reduz o risco de {illness}.',
      'A clínica da rua {name} vacina as crianças contra {illness}.',
      'A cirurgiã {name} operou por {n} horas e salvou as gêmeas.',
      'A água de {city} voltou a ser potável, diz o laboratório.',
    ],
    technology: [
      'Os engenheiros da {company} mostraram {gadget} que funciona {n} dias sem recarga.',
      'Descobriram uma falha em {gadget}; a {company} já lançou a correção.',
      'Saiu a versão {n} da biblioteca livre {name}: mais rápida e mais simples.',
      'Estudantes de {city} ensinaram um computador a reconhecer pássaros.',
      'Invasores roubaram {N} senhas da {company}.',
    ],
  },
  words: {
    city: 'Vila Serena|Porto Neblina|Monte Alvo|Ribeirão Fundo|Santa Brisa',
    plan: 'a nova linha de bonde|o aumento da tarifa de água|a venda do velho porto|a merenda gratuita|o imposto sobre casas vazias',
    when: 'na segunda-feira|nesta manhã|ontem à noite|na quinta à tarde|na próxima semana|ontem',
    weather: 'chuva forte|granizo|neblina densa|tempestade com raios|onda de calor|geada',
    company: 'Samambaia Azul|Tarnel Energia|Motores Falcão|Banco Granito|Lúmenia',
    moved: 'subiram|caíram|dispararam|recuaram|avançaram',
    good: 'trigo|cobre|gás natural|café|lítio|azeite',
    club: 'Atlético Neblina|Raposas|Esportivo Alvo|Ursos|Real Brisa',
    illness: 'sarampo|gripe|hipertensão|asma|diabetes|coqueluche',
    habit: 'caminhar todos os dias|dormir oito horas|comer menos sal|lavar as mãos|parar de fumar',
    gadget:
      'um telefone dobrável|um drone silencioso|um satélite pequeno|uma balsa elétrica|um robô que anda',
  },
  asides: [
    'Mais detalhes em breve.',
    'Leia a matéria completa no nosso site.',
    'O que você acha? Conte nos comentários.',
    'Nossa repórter {name} está no local.',
  ],
  questions: [
    'Quem vai ganhar no sábado?',
    'Como você vai ao trabalho?',
    'O que ajuda contra a {illness}?',
  ],
  titles: ['{city} hoje', 'Correio de {city}', 'Notas sobre o {good}', 'Diário {name}'],
  descriptions: [
    'Notícias de {city} e região, todos os dias.',
    'O que move o preço do {good}. Só números.',
  ],
  tags: 'notícias|tempo|mercados|futebol|saúde|tecnologia|opinião|urgente',
  people: 'Marta Queirós|Otávio Barros|Inês Caldeira|Tomé Fonseca',
  lexicon: {
    onsets: 'b|br|c|ch|d|f|g|j|l|lh|m|n|nh|p|pr|qu|r|s|t|tr|v|x|z',
    rimes: 'al|an|ar|el|em|er|in|ir|om|or|ão|o|a|e|ia|ur',
    endings: '|s|o|a|os|as|ar|ção',
    common:
      'de|a|o|que|e|do|da|em|um|para|é|com|não|uma|os|no|se|na|por|mais|as|dos|como|mas|foi|ao|ele|das|tem|à|seu|sua|ou|ser|quando|muito|há|nos|já|está|também|só|pelo|pela|até|isso|ela|entre|era|depois|cidade|gente|dia',
  },
})
