import type { Profile } from './profile.ts'

/** The rest of the languages in Latin letters: south-east Asia, Africa, the Caucasus, and Europe's smaller ones. */
export const FURTHER_LATIN_PROFILES: readonly Profile[] = [
  {
    code: 'tk',
    lacks: 'cqvx',
    letters: 'äçňöşüýž',
    words:
      'we bilen bu bir üçin hem boldy bolup bar ýok däl men sen siz biz olar onuň ony maňa saňa size bize meniň seniň biziň nähili nirede haçan kim näme näme üçin gerek gowy sag boluň salam örän köp indi şu gün ertir düýn soň baradaky ýyl ýyly gün adam adamlar bolýar bolan bolsa häzir diňe iň ähli hemme öz özi arasynda içinde täze uly aşgabat türkmenistan türkmen döwlet halk ýene çünki emma ýa-da eger şeýle hukugy ol olaryň at atasy ene ata çaga çagalar oglan gyz ýagşy saz gowudyr hawa elbetde owadan kiçi köne öý öýe öýde iş işi işleýär gitjek geldi gitdi geljek aýtdy diýdi diýip diýen edip etmek etdi edilen bolar bolmaz bolmak bilýär bilýärin bilmeýärin bilemok isleýärin gerekdir ýaly diýmek edýär edýärin ýaş ýaşaýar ýyldan ýurt ýurdy ýurduň prezidenti türkmenistanyň hormatly başga beýleki birnäçe hiç haýsy niçik näçe ýerde ýere ýol suw çörek nan mekdep mugallym kitap wagt wagty sagat aý hepde agşam gije irden dost dostum söýýärin gözel habar habarlar şäher şäheri',
    endings:
      'nyň niň yň iň lar ler dan den ýar ýär an en dy di lyk lik ýarys ýäris ýaryn ýärin ýarlar ýärler jak jek ypdyr ipdir lary leri dygy digi mak mek myş nda nde ndan nden syny sini',
  },
  {
    code: 'id',
    lacks: 'qx',
    letters: 'é',
    words:
      'berita terbaru gabung jadwal sholat banjir lowongan loker cuaca gempa yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena tersebut bisa ada mereka lebih kata tahun sudah atau saat oleh menjadi orang ia telah adalah seperti sebagai bahwa dapat para harus namun kita dua satu masih hari hanya mengatakan kepada kami setelah melakukan lalu belum lain dia kalau terjadi banyak menurut anda hingga tak baru beberapa ketika saja jalan sekitar secara dilakukan sementara tapi sangat hal sehingga seorang bagi besar lagi selama antara waktu sebuah jika sampai jadi terhadap tiga serta pun salah merupakan atas sejak membuat baik memiliki kembali selain tetapi pertama kedua memang pernah apa mulai sama tentang bukan agar semua sedang kali kemudian hasil sejumlah juta persen sendiri katanya demikian masalah mungkin umum aku kamu kau gak nggak ga aja udah gue lu banget dong sih nih yg dgn tdk apakah siapa dimana kapan mengapa bagaimana terima kasih selamat halo hari indonesia bapak ibu ingin suka tahu mau pergi rumah bukan adanya dia ia mereka pak bu mas mbak kenapa gimana begitu nanti kemarin besok sekarang makan minum tidur kerja sekolah kota negara dunia uang teman anak perempuan laki cantik bagus buruk benar membeli membaca menulis berbicara berjalan tinggal datang pulang lihat dengar tolong silakan maaf maka ternyata melihat sekali segera mana perlu muda meskipun kalian putih tinggi tempat setiap punya memberikan masuk bahkan cepat berada sakit kecil bahasa tiba sedikit merasa masing mampu berapa selalu mempunyai lama jangan bersama hati daerah berbeda sebelum perusahaan masyarakat masa hidup hampir diri bagian tubuh semakin pasti paling mobil luar justru jakarta cukup berusaha tetap sini situ sana sesuai mudah menunjukkan mengambil langsung lakukan lainnya jumlah bertemu sulit suara sebelumnya nama meningkatkan menggunakan mendapatkan mencari malam pagi siang sore kemampuan informasi berhasil cara terlihat tentu tanggal tanah surat sesuatu proses pekerjaan menemukan melalui kelompok kegiatan dekat bekerja usaha tugas tua tingkat terlalu tepat suatu seseorang pula penting pemerintah minggu bulan mencoba memilih maupun keras keadaan jauh jam buku berarti belajar barang akhirnya yaitu terus termasuk terdapat terbaik terakhir tanpa sedangkan sebenarnya saling pusat nilai mendengar mencapai membuka memberi manusia keluar ikut daripada berubah berbagai bantuan tengah tangan siswa pihak pertanyaan pemimpin minta menarik presiden polisi kantor rupiah ribu harga korban warga video foto lagu cinta sayang kakak adik ayah keluarga guru mati jatuh naik turun buka tutup beli jual murah mahal enak lapar capek senang sedih',
    endings: 'nya kan lah annya kah ngan asi itas kannya inya ikan nglah',
  },
  {
    code: 'ms',
    lacks: 'qx',
    letters: 'é',
    words:
      'yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke kerana tersebut boleh ada mereka lebih kata tahun sudah atau oleh menjadi orang ia telah adalah seperti sebagai bahawa dapat para perlu namun kita dua satu masih hari hanya kepada kami selepas awak anda tak baharu beberapa apabila sahaja sangat sehingga seorang bagi besar lagi malaysia encik puan beliau manakala kereta wang ringgit mahu pergi berkata daripada antara ialah iaitu bila macam nak dah lah je korang kat sini kenapa dia apa banyak semua jika makan jangan bahasa atas sedang mempunyai harga tetapi tahu suka saja rumah baik tentang mana negara lain baru buat tempat lelaki kecil datang tinggal ketika anak sendiri secara pernah kemudian bukan sama tinggi tanpa nama biasa bercakap adakah sekarang pertama kota kembali buku belajar tiga pun cara tiada kali jalan hidup terdapat setiap saat malam lama selain sebelum penting mudah jenis berada hingga keluar berapa begitu akhir serta sekali sehari siapa semakin sedikit pemimpin mesti mati kalau hendak harus diri bentuk kerajaan perdana menteri negeri polis kuala lumpur pulau selangor johor sabah sarawak jabatan syarikat pelajar pejabat hospital cuti petang tengah esok semalam pukul minit jam berita terkini awam zaman cuba cakap tengok pandai cantik sedap seronok bagus kawan budak abang kakak cikgu bas lori telefon bimbit peti duit murah mahal beli jual terima kasih selamat pagi khabar maaf tolong sila berlaku berjaya bertanya berasa bekerja membuat memberi memberitahu mengenai menerusi turut sejak bagaimanapun walaupun agar supaya melalui lupa mana-mana perkara pihak',
    endings: 'nya kan lah annya kah ngan asi iti lahnya anlah',
  },
  {
    code: 'jv',
    lacks: 'fqvxz',
    letters: 'éè',
    words:
      'lan ing sing iku kanthi kanggo ora iki saka bakal uga aku kowe menyang amarga bisa ana dheweke luwih taun wis utawa dening dadi wong yaiku kaya minangka para kudu nanging loro siji dina mung',
    endings: 'ne ake aken ipun',
  },
  {
    code: 'su',
    lacks: 'fqvxz',
    letters: 'é',
    words:
      'jeung nu di éta ku pikeun henteu ieu ti dina bakal ogé kuring ka sabab bisa aya manéhna leuwih taun geus atawa jadi jalma nyaéta kawas salaku kudu tapi dua hiji poé ngan urang anjeun',
    endings: 'na keun ana',
  },
  {
    code: 'tl',
    lacks: 'cfjqvxz',
    letters: 'ñ',
    words:
      'ang ng sa na mga ay at si ni ko mo siya sila kami tayo kayo ako ikaw ka niya nila namin natin ninyo hindi may mayroon wala ito iyon iyan dito doon para kung dahil pero o ba po opo oo ano sino saan kailan bakit paano ngayon bukas kahapon salamat kumusta maganda mabuti taon araw tao tao lang din rin pa nga kasi naman lahat isa dalawa gusto',
    endings: 'ang han hin ing an in',
  },
  {
    code: 'ceb',
    lacks: 'cfjqvxz',
    letters: 'ñ',
    words:
      'ang sa nga ug mga si ni ko mo siya sila kami kita kamo ako ikaw dili adunay wala kini kana dinhi didto kung tungod apan kaayo usa duha tawo tuig',
    endings: 'on an hon',
  },
  {
    code: 'vi',
    lacks: 'fjwz',
    letters: 'àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ',
    words:
      'và là của có không cho được một những các trong đã người này với khi để tôi bạn anh em chị ông bà họ chúng ta nó rất ở đến từ ra vào lại cũng như thì mà nếu vì ai gì đâu nào sao bao giờ hôm nay ngày mai qua cảm ơn xin chào tốt năm',
    endings: '',
  },
  {
    code: 'sw',
    lacks: 'qx',
    letters: '',
    words:
      'na ya wa kwa ni la za katika kuwa hii hiyo ambayo yake wake mimi wewe yeye sisi ninyi wao si hapana ndiyo au lakini kama nini nani wapi lini vipi sasa leo kesho jana asante habari nzuri sana mwaka siku watu mtu watoto kila baada kabla pia tu bado nchi serikali je gani ngapi ilikuwa ana kutoka hadi ambao',
    endings: 'isha iwa ika ani eni ika',
  },
  {
    code: 'so',
    lacks: 'pvz',
    letters: '',
    words:
      'iyo waa in ka ku la oo ah aan uu ay uga soo si loo ayaa ma u wax dad dadka sanad maanta berri shalay mahadsanid fiican aad badan kale kasta kadib ka hor laakiin ama haddii sababtoo wuxuu waxay waxaa',
    endings: 'aha ada ka ta yo kii tii aan',
  },
  {
    code: 'om',
    letters: "'",
    words:
      "fi kan akka irraa keessa hin isaa ishee isaan nuti ani ati inni kun sun waan jira ture ta'e ta'uu maal eessa yoom akkam maaliif baay'ee har'a boru kaleessa galatoomi gaarii waggaa guyyaa namni nama namoota oromiyaa oromoo itoophiyaa mootummaa ykn garuu yoo tokko lama eenyu jedhama maqaa kamitti kam magaalaa biyya waliin irratti keessatti maqaan magaalaan guddoo biyyoota lakkoofsi meeqa eessatti argama argamti dhalate jechuun afaan mana barumsaa hojii bara yeroo lammii seera mirga yoomi kamtu jedhamti beekamtu guddaa xiqqaa",
    endings: 'tti aa oota uu een aan tiin umma irra iin itti',
  },
  {
    code: 'ha',
    letters: "ɓɗƙƴ'",
    words:
      'da na a ta ya ba ne ce wannan shi ita su mu ku ni kai don domin amma ko idan yaushe ina me wane yau gobe jiya nagode sannu sosai shekara mutane mutum kuma kamar daga cikin zuwa bayan',
    endings: 'wa yar nsa nta',
  },
  {
    code: 'yo',
    letters: 'ẹọṣàáèéìíòóùúńǹ',
    words:
      'ni ti ati si o ó ń wa fun awon àwọn ninu nínú lati láti kan yi yìí ko kò mo emi iwo oun awa eyin won ṣe ọjọ́ ọdún dara pupo pe pé bi tí sí ní',
    endings: '',
  },
  {
    code: 'ig',
    letters: 'ịọụṅ',
    words:
      'na nke ya ha anyị unu m gị ọ bụ dị ka maka n ma mgbe ebe onye gịnị taa echi ụnyaahụ daalụ mmadụ afọ ụbọchị',
    endings: '',
  },
  {
    code: 'zu',
    lacks: 'rx',
    letters: '',
    words:
      'ukuthi futhi uma kodwa lapho ngoba noma yena thina nina bona mina wena kuphela kakhulu namhlanje kusasa izolo ngiyabonga sawubona abantu umuntu unyaka usuku',
    endings: 'eni ini ela isa',
  },
  {
    code: 'af',
    lacks: 'qxz',
    letters: 'êëéèôîûáó',
    words:
      'die en van in is dat op te wees met vir nie aan daar om ook as maar dan hulle by of hy ek jy ons julle my uit na het was word deur oor nog so kan moet hierdie dié sy haar geen meer al wat wie waar wanneer hoekom hoe baie sal sou mense jaar teen tot tog net nou vandag môre gister goed dankie hallo',
    endings: 'lik eer heid ing aan oor',
  },
  {
    code: 'ca',
    lacks: 'kw',
    letters: 'àçèéíïòóúü·',
    words:
      "de la el i que en a els les un una per amb no és del al es com més però o si quan on qui perquè aquest aquesta això jo tu ell ella nosaltres vosaltres ells meu meva seu seva era eren són sóc ets som molt només encara també avui ahir demà ara gràcies hola bé any anys dia gent temps res sempre mai fer pot vull d'un l'any ha han hi ho dels amb sense sobre entre fins tot tots",
    endings: 'ció ment itat ava aven ant ent à',
  },
  {
    code: 'gl',
    lacks: 'kwyj',
    letters: 'áéíóúñü',
    words:
      '¿ de a o que e do da en un para é con non unha os no se na por máis as dos como pero foi ao el das ten seu súa ou ser cando moito hai nos xa está eu tamén só pola polo ata iso ela entre era despois sen mesmo aos ter hoxe onte mañá agora ben grazas ola ano anos día xente quero onde porque pode facer vai aínda todo aquí lles unhas uns esta este',
    endings: 'ción dade ando endo mente aron iron eiro',
  },
  {
    code: 'eu',
    lacks: 'cqvwy',
    letters: 'ñ',
    words:
      'eta da du ez dira zuen zen ere bat hau hori dute dituzte baina edo noiz non nor zergatik nola ni zu gu zuek haiek nire zure oso orain gaur bihar atzo eskerrik asko kaixo ondo urte egun jende beti inoiz egin behar izan dago daude',
    endings: 'ren tzen tik etan arekin aren ko ak ek',
  },
  {
    code: 'ga',
    lacks: 'jkqvwxyz',
    letters: 'áéíóú',
    words:
      'an na agus is ar tá bhí le do i sa a go ní mé tú sé sí muid sibh siad seo sin cad cé cathain cén conas anois inniu amárach inné maith bliain lá daoine ach nó',
    endings: 'adh igh ann acht',
  },
  {
    code: 'cy',
    lacks: 'kqvxz',
    letters: 'âêîôûŵŷ',
    words:
      'y yr a i o yn ar mae oedd wedi ei eu fy dy ni chi nhw hi ef fi ti hwn hon beth pwy ble pryd pam sut nawr heddiw yfory ddoe diolch da blwyddyn dydd pobl ond neu gyda',
    endings: 'dd wyd iad iaeth au ion',
  },
  {
    code: 'is',
    lacks: 'cqwz',
    letters: 'áðéíóúýþæö',
    words:
      'og að í á er sem það en við með um ekki var hann hún þeir ég þú við þið til af frá fyrir eða ef hvar hver hvenær af hverju hvernig mjög bara nú dag morgun gær takk halló gott ár fólk eru hefur',
    endings: 'inn num ður ið anna',
  },
  {
    code: 'eo',
    lacks: 'qwxy',
    letters: 'ĉĝĥĵŝŭ',
    words:
      'la kaj de en estas ke mi vi li ŝi ĝi ni ili al por kun ne sed aŭ se kiam kie kiu kio kial kiel tre nur nun hodiaŭ morgaŭ hieraŭ dankon saluton bone jaro tago homoj tiu ĉi mia via',
    endings: 'oj ojn ajn aj on as is os',
  },
  {
    code: 'la',
    lacks: 'kwy',
    letters: 'āēīōūæ',
    words:
      'et in est non ad cum ut sed qui quae quod esse sunt ex per ab hoc nec etiam autem enim aut atque sic quam pro ego tu nos vos',
    endings: 'us um ibus orum arum ae',
  },
  {
    code: 'mt',
    lacks: 'cy',
    letters: 'ċġħżàèìòù',
    words:
      "u ta' li fil il l-  ma kien din dan għal minn huwa hija jien inti aħna intom huma x'inhu meta fejn min għaliex kif illum għada lbieraħ grazzi tajjeb sena jum nies jew",
    endings: 'iet ijiet',
  },
  {
    code: 'ku',
    letters: 'çêîşû',
    words:
      'û li bi ji di de ku ev ew ez tu em hûn wan wî wê min te me we ne na ye in bû bûn heye tune çi kî kû kengî çima çawa pir îro sibê duh spas silav baş sal roj mirov her jî yan lê eger kurdistan kurd mafê xwe gelek tenê divê dema bo hemû kes kesê hin hinek wek wekî wisa mezin biçûk nû kevn rast xweş dikim dike dikin dikî dikare dikarim dikarin kir kirin kirî bike bikin bikim hez hene nîne nîn got dibêje dixwazim dixwaze zanim dizanim nizanim mal malê hevalê heval jin mêr zarok zarokan bav bavê dê dayik bira xwişk dest ser serê bin nav navê nava ber berî piştî paşê îsal par sibe êvar şev rojê roja welat gel gelê dewlet şer azadî ziman zimanê kurdî kurmancî tirkiye sûriye amed hewlêr yek du sê çar pênc deh sed ya yê yên a ê êdî niha hê hîn belê erê kîjan kengê çend çiqas bilî bila bibe bûye bûne hat hatin hatiye çû diçe tê tên were dibe dibin nabe',
    endings: 'ên an ê de yê yên in eke ekî ekê iye ine andin kirin',
  },
  {
    code: 'ht',
    letters: 'èòàé',
    words:
      'yo nan ak pou li nou mwen ou pa te gen se sa ki yon ki jan kote poukisa kounye jodi a demen mèsi bonjou anpil tout moun ane jou oswa men',
    endings: 'syon man',
  },
  {
    code: 'mg',
    lacks: 'cquwx',
    letters: 'àôé',
    words:
      'ny sy amin ho an dia tsy izany izao ary fa no aho ianao izy isika ianareo inona iza aiza rahoviana nahoana ahoana androany rahampitso omaly misaotra salama tsara taona andro olona',
    endings: 'ana ina tra na ny',
  },
]
