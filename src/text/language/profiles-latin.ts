import type { Profile } from './profile.ts'
import { ROMANISED_PROFILES } from './profiles-romanised.ts'
import { SERBIAN_LATIN } from './serbian.ts'
import { FURTHER_LATIN_PROFILES } from './profiles-latin-further.ts'
import { UZBEK_LATIN } from './uzbek.ts'

/** Written by hand: the commonest words, endings, and the letters beyond a–z. */
export const LATIN_PROFILES: readonly Profile[] = [
  UZBEK_LATIN,
  {
    code: 'en',
    letters: '',
    words:
      "the of and to in a is that it was for on are with as i his they be at one have this from or had by but some what there we can out other were all your when up use how said an each she which do their time if will way about many then them would like so these her long make thing see him two has look more day could go come did my no most who over know than call first people may down been now find any new work part take get place made where after back little only me our under good very through just don't i'm it's you're not you why does he let's please thanks today tomorrow yesterday news really want need got going think never always that's can't won't i've we're they're didn't doesn't isn't let ask tell told says say should must might every everyone something nothing someone here again still right left house home school money love life world friend man woman child children boy girl book car water food night morning much too also than because",
    endings: "ing tion ed ly ment ness ould ight ously ity n't 's ful",
  },
  {
    code: 'es',
    lacks: 'kw',
    letters: 'áéíóúüñ',
    words:
      'responde gana ¿ de la que el en y a los se del las un por con no una su para es al lo como más mas pero sus le ya o este sí si porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos e esto mí antes algunos qué unos yo otro otras otra él tanto esa estos mucho quienes nada muchos cual poco ella estar estas algunas algo nosotros mi mis tú te ti tu tus ellas soy eres somos son fue era está están estoy tengo tiene tienen hacer puede hoy ayer mañana ahora bien gracias hola año años día gente quiero cómo dónde cuándo usted ha han he ser vez dos así aquí gobierno nuevo nunca siempre cosa cosas alguien nadie entonces pues casa vida mundo tiempo amigo mujer hombre niño niña trabajo ciudad país mucha muchas haciendo hizo dijo decir sabe sé creo quiere viene ver dio estaba estaban estamos buen buena bueno mejor gusta gustaría conmigo contigo allí allá después según dos tres libro coche hijo hija padre madre señor señora favor ningún ninguna otra otro cada eras fuera hacia aunque mientras todavía aún jamás quizás voy vas va vamos dime',
    endings: 'ción ciones dad ando iendo mente aron ieron ado ados idos ía ías ito illo ez ó',
  },
  {
    code: 'pt',
    lacks: 'kwy',
    letters: 'áâãàçéêíóôõúü',
    words:
      'vagas vaga emprego promoção cotação de a o que e do da em um para é com não nao uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você voce tinha foram essa num nem suas meu às minha têm numa pelos elas havia seja qual será nós tenho lhe deles essas esses pelas este dele tu te vocês vos lhes meus minhas teu tua nosso nossa isto aquilo estou somos são sao fui hoje ontem amanhã agora bem obrigado obrigada olá ano anos dia gente quero onde porque pode fazer vai vou ainda todo todos tudo aqui governo novo dois então tu eles elas nada nunca sempre coisa coisas alguém ninguém então pra pro tá né vc casa vida mundo tempo amigo mulher homem menino menina trabalho cidade país muita muitos muitas pouco fazendo fez disse dizer sabe sei acho quer vem ver deu ficar ficou estava estavam estamos bom boa melhor gosto gostaria eu mim comigo contigo conosco lá cá ali desde após sobre contra segundo num duas dois três rei livro carro filho filha pai mãe sr senhor senhora favor por nenhum outra outro outras outros cada',
    endings:
      'ção ções dade ando endo indo mente aram eram iram ado ados inho inha ão ões ais eis am ou',
  },
  {
    code: 'fr',
    lacks: 'w',
    letters: 'àâæçéèêëîïôœùûüÿ',
    words:
      "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont la avec ils été cette comme on mais ou si leur y dont tout nous sa fait aux deux même peut son elle ses ont bien ces très sans être où je tu vous me te moi toi mon ma mes ton ta tes notre nos votre vos était étaient avait j'ai c'est n'est qu'il d'un d'une l'on jamais toujours aujourd'hui hier demain maintenant merci bonjour ans année jour gens veux pourquoi quand comment faire va vais suis es sommes êtes encore tous ici rien quelque chose aussi alors peu trop parce leurs avez avons ça ca contre entre après avant depuis pendant chez c'était qu'on qu'elle j'ai j'étais n'ai n'est s'est d'accord l'a m'a t'a rien personne chose choses maison vie monde temps ami femme homme enfant enfants travail ville pays beaucoup faut veut peux vois dit disait sais crois vient voir donné bon bonne mieux aime trois livre voiture fils fille père mère monsieur madame aucun autre autres chaque",
    endings: 'tion ment aient ait ées és ée eux euse ais ons ez ité ique ant iste elle',
  },
  {
    code: 'de',
    letters: 'äöüß',
    words:
      'teilen der die und in den von zu das mit sich des auf für fuer ist im dem nicht ein eine als auch es an werden aus er hat dass daß sie nach wird bei einer um am sind noch wie einem über so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei hatte kann gegen vom können schon wenn habe seine mark ihre dann unter wir soll ich eines jahr zwei jahren diese dieser wieder keine uhr seiner worden will zwischen immer was sagte gibt alle diesem seit muss wurden beim doch jetzt waren drei jahre ihm ihr du mir mich dir dich uns euch mein dein heute gestern morgen danke hallo bitte warum wo wer wann sehr gut hier da kein nichts etwas leute neue bin bist machen geht ja nein ihn ihnen ihren mal ganz viel viele leben welt zeit freund frau mann kind kinder arbeit stadt land haus schule geld liebe buch auto wasser essen nacht abend tag tage glaube weiß wissen sagen gesagt kommt kommen gehen sehen besser gerne bitte vielleicht niemand jemand alles immer nie noch',
    endings: 'ung ungen lich keit heit isch schaft ieren chen eten est ern igen ten',
  },
  {
    code: 'it',
    lacks: 'jkwxy',
    letters: 'àèéìíîòóùú',
    words:
      "sconto offerta sciopero notizie di e il la che in a per un è del non una si le i con da sono al come dei lo più ma gli ha anche alla della nel o ed su se questo delle ci ho dal mi suo essere era quando nella loro ai tra quello chi stato degli sua tutti fa dopo prima solo due molto poi cosa fatto alle ne io tu lui lei noi voi mio mia miei tuo tua nostro vostro questa questi quella perché perchè dove come cosa ogni ancora sempre mai oggi ieri domani ora adesso grazie ciao buongiorno anno anni giorno gente voglio fare va vado sei siamo siete hanno abbiamo avete c'è l'ha dell' all' nell' sull' un' nulla niente qui così bene essere stata nuovo governo può senza contro sulla dalla niente nessuno qualcosa qualcuno casa vita mondo tempo amico donna uomo bambino bambini lavoro città paese molti molte facendo detto dire sa so credo vuole viene vedere dato stava buono buona meglio piace vorrei là dopo secondo tre libro macchina figlio figlia padre madre signore signora favore nessun altra altro altri ogni era erano sta sto stai",
    endings: 'zione zioni mente ità ando endo ato ati ata are ere ire etto ello aggio ismo ano ono',
  },
  {
    code: 'nl',
    letters: 'ëïéèüöó',
    words:
      'de het een en van in is dat op te zijn met voor niet aan er om ook als maar dan ze bij of hij ik je u wij we jij jullie mijn uit naar heeft hebben had was worden wordt werd door over nog zo kan moet deze dit die hun haar geen meer al wat wie waar wanneer waarom hoe veel zal zou mensen jaar tegen na tot toch alleen nu vandaag morgen gisteren goed dank bedankt hallo heel altijd nooit iets niets hier daar twee onze ons wil gaan doen',
    endings: 'ijk eren heid ing aan oor een eel ijn ten den tje',
  },
  {
    code: 'sv',
    lacks: 'qw',
    letters: 'åäöé',
    words:
      'och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när år säger hon under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra mycket än här då sedan över bara in blir upp vad två vill du mig dig oss er min din idag igår imorgon tack hej varför vem hur bra måste något inget',
    endings: 'ade erna arna ningen heten lig tion ande ar or',
  },
  {
    code: 'da',
    lacks: 'qwx',
    letters: 'æøåé',
    words:
      'og i at det er en til på den af for med de som ikke der var har et han men jeg sig fra vi så kan når år siger hun under også efter eller nu sin hvor ved mod skal skulle kommer ud får være havde alle andre meget end her da over kun bliver op hvad to vil du mig dig os jer min din dag går morgen tak hej hvorfor hvem hvordan godt må noget ingen blev blevet efter af mange dem mere',
    endings: 'ede erne ene ning hed lig tion ende er',
  },
  {
    code: 'no',
    lacks: 'qwx',
    letters: 'æøåéòô',
    words:
      'og i at det er en til på den av for med de som ikke der var har et han men jeg seg fra vi så kan når år sier hun under også etter eller nå sin hvor ved mot skal skulle kommer ut får være hadde alle andre mye enn her da over bare blir opp hva to vil du meg deg oss dere min din dag går morgen takk hei hvorfor hvem hvordan bra må noe ingen ble blitt etter av mange dem mer ein eit ikkje eg frå vart',
    endings: 'ede ene ning het lig sjon ende er',
  },
  {
    code: 'fi',
    lacks: 'qwxz',
    letters: 'äöå',
    words:
      'ja on ei se että hän oli ovat kun niin kuin myös mutta tai jos minä sinä me te he ole olen olet olemme mikä kuka missä milloin miksi miten nyt tänään huomenna eilen kiitos hei hyvä hyvin vain vielä jo kaikki tämä nämä joka jotka sen sitä hänen minun sinun meidän teidän voi pitää mitä mukaan vuonna vuoden jälkeen paljon aina koskaan täällä siellä',
    endings:
      'ssa ssä sta stä lla llä lta ltä iin een uun ään aan nut nyt neet ksi taan tään mme tte',
  },
  {
    code: 'et',
    lacks: 'qwxy',
    letters: 'äöõüšž',
    words:
      'ja on ei see et ta oli kui ka aga või mina sina meie teie nad ma sa me te olen oled oleme mis kes kus millal miks kuidas nüüd täna homme eile aitäh tere hea väga ainult veel juba kõik selle seda tema minu sinu saab peab aasta pärast palju alati siin seal mida ning oma kes pole',
    endings: 'ist ast ega sse des tud nud tel mine use ed',
  },
  {
    code: 'lv',
    lacks: 'qwxy',
    letters: 'āčēģīķļņšūž',
    words:
      'un ir ar no uz par ka kas to tas tā es tu mēs jūs viņš viņa viņi bija būs nav arī vai bet ja kad kur kāpēc kā ko ļoti tikai vēl jau viss visi šis šī mans tavs šodien rīt vakar paldies labi gadā gada pēc daudz vienmēr šeit',
    endings: 'ība ības šana iem ajā ās us ām iet',
  },
  {
    code: 'lt',
    lacks: 'qwx',
    letters: 'ąčęėįšųūž',
    words:
      'ir yra kad su iš į ne tai bet kaip o ar jis ji jie mes jūs aš tu buvo bus nėra taip pat jei kai kur kodėl kas ką labai tik dar jau visi šis ši mano tavo šiandien rytoj vakar ačiū labas gerai metų metais po daug visada čia dėl už nuo prie per savo',
    endings: 'as is us ių ais omis imas ymas ėjo ti ose',
  },
  {
    code: 'pl',
    lacks: 'qvx',
    letters: 'ąćęłńóśźż',
    words:
      'i w na z do nie się że to jest o jak za od po ale co dla tak ja ty on ona my wy oni jego jej ich mnie mi ciebie ci nas was był była było były być są czy jeśli gdy kiedy gdzie kto dlaczego już tylko jeszcze bardzo może można trzeba teraz dziś dzisiaj jutro wczoraj dziękuję cześć dobrze lat roku rok ludzie czas który która które tego tej tym także przez przed pod nad między nic nikt zawsze nigdy ma mam proszę jestem',
    endings: 'ego emu ych ymi ach ami ość ości anie enie ować ski ska ał ała się ie',
  },
  {
    code: 'cs',
    lacks: 'qw',
    letters: 'áčďéěíňóřšťúůýž',
    words:
      'a v na se je že to s z do o jak za od po ale co pro tak já ty on ona my vy oni jeho její jejich mě mi tebe ti nás vás byl byla bylo byli být jsou jsem jsi jsme jste není nebo jestli když kde kdo proč už jen ještě velmi může teď dnes zítra včera děkuji ahoj dobře let roku rok lidé lidi čas který která které toho také přes před pod nad mezi nic nikdo vždy nikdy mám má i ve k si',
    endings: 'ého ému ých ými ách ami ost ání ení ovat ský ská al ala',
  },
  {
    code: 'sk',
    lacks: 'qw',
    letters: 'áäčďéíĺľňóôŕšťúýž',
    words:
      'a v na sa je že to s z do o ako za od po ale čo pre tak ja ty on ona my vy oni jeho jej ich mňa mi teba ti nás vás bol bola bolo boli byť sú som si sme ste nie alebo či keď kde kto prečo už len ešte veľmi môže teraz dnes zajtra včera ďakujem ahoj dobre rokov roku rok ľudia čas ktorý ktorá ktoré toho tiež cez pred pod nad medzi nič nikto vždy nikdy mám má aj vo k si',
    endings: 'ého ému ých ými ách ami osť anie enie ovať ský ská al ala',
  },
  {
    code: 'sl',
    lacks: 'qwxy',
    letters: 'čšž',
    words:
      'in v na se je da za z s so ne pa kot po od do ki tudi ali če ko kje kdo zakaj kako jaz ti on ona mi vi oni njegov njen moj tvoj naš bil bila bilo bili biti sem si smo ste ni še že samo zelo lahko zdaj danes jutri včeraj hvala zdravo dobro let leta leto ljudje čas kateri katera tega tej tudi pri pred pod nad med nič nihče vedno nikoli imam ima vse kaj bo',
    endings: 'ega emu ih imi ah ami ost anje enje ati ski ska',
  },
  {
    code: 'hr',
    lacks: 'qwxy',
    letters: 'čćđšž',
    words:
      'i u na se je da za s sa su ne kao po od do koji koja koje što ali ili ako kada gdje tko zašto kako ja ti on ona mi vi oni njegov njezin moj tvoj naš bio bila bilo bili biti sam si smo ste nije nisu još već samo vrlo može sada danas sutra jučer hvala zdravo dobro godina godine ljudi vrijeme toga toj također pri prije poslije pod nad između ništa nitko uvijek nikad imam ima sve će bih treba nakon te uz mogu prema više zbog ove dana dan dani jer ovaj taj ovo ova ovom ovog ovdje svi svih svim nego jedan jedna jedno jednom dok bez jako kod ću ćeš ćemo ćete neće tome tom svoju svoje svoj sati sat nešto netko neki neka kad grada grad gradu dvije dva tri četiri pet tijekom osim odnosno možete možeš možemo mogao moglo kojima kojem kojoj koju kojeg vremena čovjek čovjeka često dijelu dio broj reći rekao rekla kaže dobar dobra loše život života znači svijet svijetu strane oko nisam nisi nismo nemam nema imaju imati imao imala čak trebao trebam tamo tu riječ riječi puno malo kuće kuća ići idem im ih ga mu joj nam vam nas vas njega nju njih njima doći došao čini svaki svaka raditi radi radim poput moguće možda mjesto mjesta ipak inače ponovno opet zajedno kroz preko protiv pokraj iza ispred žena žene dijete djeca djece otac majka brat sestra prijatelj obitelj škola škole posao pitanje odgovor knjiga voda kruh lijepo lijep lijepa nov nova novo novi nove star velik veliki velika veliko mali mala bolje najbolji posljednji sljedeći cijena cijene istina vijest vijesti uživo hitno želim želi hoću hoće znam znaš zna mislim misli volim voli vidjeti vidio hrvatska hrvatske hrvatskoj hrvatski zagreb zagrebu vlada predsjednik europa europe tjedan siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca koliko toliko tako ovako molim oprosti',
    endings:
      'oga emu ima ama ost anje enje ati ski ska iji ije jela jelo jeti ijel iješ ština nost nosti ovati ući',
  },
  SERBIAN_LATIN,
  {
    code: 'sq',
    lacks: 'w',
    letters: 'ëç',
    words:
      'dhe në e të i me për një që është nga si nuk ka do u se më por ose kur ku kush pse çfarë unë ti ai ajo ne ju ata tij saj im jonë ishte ishin janë jam jemi jeni s vetëm ende shumë mund tani sot nesër dje faleminderit mirë vit vjet njerëz kohë kjo ky këtë asgjë gjithmonë kurrë kam kemi duhet pas para nën mbi mes',
    endings: 'ëve it ën isë imi tar uar et ave',
  },
  {
    code: 'ro',
    lacks: 'kqwy',
    letters: 'ăâîșțşţ',
    words:
      'și si de la în in a cu pe o nu că ca care un este sunt din mai pentru se ce au fi dar sau dacă când unde cine ce cum eu tu el ea noi voi ei lui lor meu mea tău nostru era erau fost am ai are avem aveți doar încă foarte poate acum azi astăzi mâine ieri mulțumesc salut bine ani an zi oameni timp acest această acesta nimic mereu niciodată trebuie după înainte sub peste între prin prea tot toate al ale lui',
    endings: 'ului elor ilor ește ează ție ții tate are are ând iei',
  },
  {
    code: 'hu',
    lacks: 'qwx',
    letters: 'áéíóöőúüű',
    words:
      'a az és hogy nem is egy meg ez de van volt lesz mint csak már még vagy ha mert mi ti ő ők én te ön mikor hol ki miért hogyan nagyon most ma holnap tegnap köszönöm szia jó év évek nap ember emberek idő aki ami amely minden semmi mindig soha kell lehet után előtt alatt fölött között el fel be ki le itt ott azt ezt',
    endings: 'ban ben nak nek ból ből ról ről tól től hoz hez ság ség kat ket unk nk val vel ként',
  },
  {
    code: 'tr',
    lacks: 'qwx',
    letters: 'çğıöşüâîû',
    words:
      'bugun cok guzel ve bir bu da de için ile çok ne daha gibi en kadar ben sen o biz siz onlar beni seni onu bizi bana sana ona bize benim senin onun bizim var yok değil mi mı mu mü ama fakat veya ya ki şu her hiç bütün tüm sonra önce nasıl neden niye nerede ne zaman kim hangi şimdi bugün yarın dün teşekkürler merhaba selam iyi güzel yıl gün insan insanlar zaman olan olarak oldu olduğu olacak etti eden yeni büyük iki türkiye türk arasında içinde üzerinde göre artık bile sadece lütfen evet hayır şey değilim istiyorum olur kendi karşı benim seninle bana onların şey şeyler istiyor istemiyorum biliyorum bilmiyorum gidiyor gidiyorum geldi gitti aldı verdi yaptı oluyor olsun olmak yapmak etmek demek gitmek sevmek ev okul iş su kitap araba arkadaş anne baba kız erkek kadın adam çocuk çocuklar kardeş hayat dünya ülke şehir gece sabah akşam hep bazı birçok biraz hemen tekrar belki tabii tamam peki hadi lan abi ya mısın misin değildi vardı yoktu miydi mıydı nerede nereye burada orada böyle şöyle öyle işte hala hâlâ zaten',
    endings:
      'lar ler ların lerin dan den tan ten yor iyor uyor ıyor üyor dır dir tır tir acak ecek mış miş muş müş dığı diği lık lik ması mesi nin nın nun nün imiz sınız ım dı di du dü tı ti lara lere larda lerde nda nde ndan nden sında sinde sının sinin ını ini ına ine ınız iniz lı li lu lü cı ci cu cü çı çi dık dik mak mek maz mez arak erek ınca ince madı medi ımız unu ünü una üne ıyla iyle sı si',
  },
  {
    code: 'az',
    lacks: 'w',
    letters: 'çəğıöşü',
    words:
      'və bir bu da də üçün ilə çox nə daha kimi ən qədər mən sən o biz siz onlar məni səni onu bizi mənə sənə ona bizə mənim sənin onun bizim var yox deyil mi ama amma lakin və ya ki hər heç bütün sonra əvvəl necə niyə harada nə vaxt kim hansı indi bu gün sabah dünən təşəkkür salam yaxşı gözəl il gün insan insanlar zaman olan olaraq oldu edən yeni böyük iki azərbaycan arasında içində görə artıq yalnız xahiş bəli xeyr şey istəyirəm olur öz qarşı edir tərəfindən idi olub ildə isə belə dəfə həmin haqqında qəbul həyat həyatı əsas istifadə gəlir gəl dövlət etdi edib edilib edilən edə edək edirəm edirsən edirlər etmək etməyə buna bunu bunun baş əldə təhsil inkişaf hələ üzrə müəyyən yoxdur vardır xüsusi neçə müxtəlif bilmirəm bilirəm bilər bilir həmçinin bakı bakıda qeyd nəfər baxmayaraq verir ver verdi əsasən şəhər şəhəri şəhərində özü özünü sadəcə kömək eyni digər beynəlxalq başqa ilin ilk dili adı yaxın musiqi ildən gedir get getdi davam bəzi ancaq orta şəkildə tək lazımdır lazım iştirak hərbi həmişə halda yüksək kiçik hətta güclü gecə elə dörd üç beş on cavab sual sizin onların onlara sizə əlavə çünki yerləşən yaşıl xəbər xəbərlər səbəb sevirəm sevir məşhur kitab həm gənc göstərir evə ev evdə tez əgər yenidən yaşayır rusiya prezident respublikası qızı qız oğlu oğlan kənd hazırda gələn dedi deyir danışır bilmir başa ölkə ölkənin üz su çörək çay ay həftə saat dəqiqə səhər axşam günortadan ana ata qardaş bacı dost dostum uşaq uşaqlar məktəb müəllim iş işi işləyir pul manat qiymət qiyməti bazar maşın yol burada orada buradan nədir kimdir necəsən hardasan sağ sağol əla pis bərk hamı hamısı heçnə birinci ikinci son sonuncu bildirib məlumat verilib bağlı olacaq olsun ola oldum qadın kişi sevgi ürək dünya müharibə ermənistan qarabağ ilham əliyev azərbaycanın yaxşıyam tomun',
    endings:
      'lar lər ların lərin dan dən yır yir ır ir dır dir dur dür acaq əcək mış miş dığı diyi lıq lik ması məsi nin nın nun nün dı di du dü am əm ların lərin lara lərə larda lərdə nda ndə ndan ndən sında sində sının sinin ını ini inə ına ıb ib ub üb arə irəm ıram uram ürəm irsən ılır ilir ması məsi mək maq dıq dik mışdır mişdir mış lı li lu lü çı çi çu çü siz sız',
  },
  ...FURTHER_LATIN_PROFILES,
  ...ROMANISED_PROFILES,
]
