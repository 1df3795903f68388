import { defineLanguage } from './language-text.ts'

export const tr = defineLanguage({
  code: 'tr',
  topics: {
    news: [
      '{city} belediye meclisi {n} saatlik tartışmanın ardından {plan} kararını onayladı.',
      '{city} sakinleri {plan} kararının geri alınmasını istiyor.',
      '{name} nehri üzerindeki köprü {when} kapatıldı, onarım {n} hafta sürecek.',
      'İtfaiyeciler {city} yakınındaki depoda çıkan yangını {n} saatte söndürdü.',
      '{city} sokaklarında binlerce kişi karara karşı yürüdü.',
      'Arkeologlar {city} yakınında {N} yıllık bir duvar buldu.',
    ],
    weather: [
      '{city} için {when} {weather} bekleniyor, rüzgârın hızı saatte {n} kilometreye ulaşacak.',
      'Meteoroloji kıyı kesimleri için {weather} uyarısı yaptı.',
      '{n} kurak günün ardından çiftçiler nihayet yağmura kavuştu.',
      '{city} kentinde hava {when} bozuyor: {weather} geliyor.',
      '{name} barajının doluluk oranı yüzde {n}.',
    ],
    markets: [
      '{company} hisseleri {when} yüzde {n} {moved}.',
      '{good} fiyatları {moved}, piyasalar merkez bankasını bekliyor.',
      '{company} {N} milyon lira kâr açıkladı.',
      'Piyasa yükselişle açıldı, başı {company} çekti.',
      '{company} {N} çalışanını işten çıkaracak.',
    ],
    sport: [
      '{club}, {club} takımını {n}-{n} yenerek taraftarını sevindirdi.',
      '{club} teknik direktörü genç kaleci {name} için övgü dolu sözler söyledi.',
      '{city} kentinden gelen koşucu maratonu {n} saniye farkla kazandı.',
      'Kaptan {name} dizinden sakatlandı, {n} maç oynayamayacak.',
      'Final biletleri {n} dakikada tükendi.',
    ],
    health: [
      '{city} hastanelerinde bu ay {n} {illness} vakası görüldü.',
      '{N} gönüllüyle yapılan araştırmaya göre {habit} {illness} riskini azaltıyor.',
      '{name} caddesindeki sağlık ocağında çocuklara {illness} aşısı yapılıyor.',
      'Cerrah {name} {n} saat süren ameliyatla ikizleri kurtardı.',
      'Laboratuvara göre {city} suyu yeniden içilebilir.',
    ],
    technology: [
      '{company} mühendisleri {n} gün şarjsız çalışan {gadget} tanıttı.',
      'Araştırmacılar {gadget} içinde bir açık buldu, {company} güncelleme yayımladı.',
      'Açık kaynaklı {name} kütüphanesinin {n}. sürümü çıktı: daha hızlı ve daha sade.',
      '{city} öğrencileri bilgisayara kuş seslerini tanımayı öğretti.',
      'Korsanlar {company} şirketinden {N} parola çaldı.',
    ],
  },
  words: {
    city: 'Akçasu|Taşlıdere|Göknar|Yeşilkıyı|Karapınarlı',
    plan: 'yeni tramvay hattı|su tarifesine zam|eski limanın satışı|ücretsiz okul yemeği|boş ev vergisi',
    when: 'pazartesi günü|bu sabah|dün gece|perşembe akşamı|gelecek hafta|dün',
    weather: 'yoğun kar yağışı|dondurucu yağmur|koyu sis|gök gürültülü sağanak|aşırı sıcak',
    company: 'Mavi Eğrelti|Tarnel Enerji|Kerkenez Motor|Granit Bank|Işıksan',
    moved: 'yükseldi|düştü|sıçradı|geriledi|arttı',
    good: 'Buğday|Bakır|Doğal gaz|Kahve|Lityum|Zeytinyağı|Gümüş',
    club: 'Limanspor|Tilkiler|Göknar Gücü|Ayılar|Göl Yıldızı',
    illness: 'kızamık|grip|yüksek tansiyon|astım|şeker hastalığı|boğmaca',
    habit: 'her gün yürümek|sekiz saat uyumak|az tuz yemek|elleri yıkamak|sigarayı bırakmak',
    gadget:
      'katlanan bir telefon|sessiz bir insansız araç|küçük bir uydu|elektrikli bir feribot|yürüyen bir robot',
  },
  asides: [
    'Ayrıntılar birazdan.',
    'Haberin tamamı sitemizde.',
    'Siz ne düşünüyorsunuz? Yorumlarda yazın.',
    'Muhabirimiz {name} olay yerinde.',
  ],
  questions: ['Cumartesi kim kazanır?', 'İşe nasıl gidiyorsunuz?', '{illness} için ne iyi gelir?'],
  titles: ['{city} Bugün', '{city} Postası', '{good} Notları', '{name} Günlüğü'],
  descriptions: [
    '{city} ve çevresinden her gün haberler.',
    '{good} fiyatını ne oynatıyor? Yalnızca rakamlar.',
  ],
  tags: 'haber|hava|piyasa|futbol|sağlık|teknoloji|görüş|sondakika',
  people: 'Meltem Kuyu|Okan Barlas|İrem Çağlar|Tuna Fidan',
  lexicon: {
    onsets: 'b|c|ç|d|f|g|h|k|l|m|n|p|r|s|ş|t|v|y|z',
    rimes: 'al|an|ar|el|en|er|ık|ın|iş|ol|on|or|uk|un|üm|ö|ı|ay',
    endings: '|lar|da|ı|dan|ım|lık|ca',
    common:
      've|bir|bu|için|da|de|ile|çok|daha|olarak|olan|gibi|en|ne|kadar|o|ama|sonra|var|her|değil|ya|ki|yeni|iki|oldu|ancak|göre|olduğu|içinde|ise|mi|yok|bunu|büyük|zaman|gün|yıl|kent|insan|diye|şey|hem|önce|biz|tüm|aynı|bile|artık|şimdi',
  },
})
