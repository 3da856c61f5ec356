/** Words directly before or after the code word, or compounded with it, that make it another kind of code. */
export const OTHER_CODES: readonly { words: string; why: string }[] = [
  {
    words:
      "promo\\p{L}*|priority|fiscal\\p{L}*|discount|coupon|voucher|gift|gift card|referral|invit\\p{L}*|offer|rabatt|gutschein|aktions|descuento|promocional|r[ée]duction|parrainage|desconto|sconto|korting\\p{L}*|промо\\p{L}*|скидк\\p{L}*|купон\\p{L}*|indirim|优惠|優惠|折扣|邀请|邀請|クーポン|割引|招待|할인|쿠폰|초대|خصم",
    why: "it buys something",
  },
  {
    words:
      "تخفیف|ملی|پستی|رهگیری|پیگیری|سفارش|کالا|بريدي|الخصم|خصم|المنتج|الطلب|קופון|הנחה|מוצר|משלוח|לקוח|छूट|कूपन|ऑर्डर|डाक|ছাড়|অর্ডার|ไปรษณีย์|สินค้า|ส่วนลด|พัสดุ|ลูกค้า|giảm giá|vận đơn|đơn hàng|khuyến mãi|bưu (?:chính|điện)|khách hàng|pos|pesanan|diskon|produk|pelanggan|resi|posta|indirim|ταχυδρομικ\\p{L}*|εκπτωτικ\\p{L}*|προϊόντος|παραγγελίας|αποστολής|πελάτη",
    why: "it buys, sends or names something, in further languages",
  },
  {
    words: "zip|postal|post|area|country|dial\\p{L}*|postleitzahl|vorwahl|邮政|郵遞|郵便|우편|почтов\\p{L}*",
    why: "it names a place",
  },
  {
    words:
      "error|diagnostic|status|exit|http|response|reason|return|fehler|erreur|错误|錯誤|エラー|오류|ошибк\\p{L}*",
    why: "it tells of a failure",
  },
  {
    words:
      "wi-?fi|wlan|track\\p{L}*|collection|pick-?up|locker|check-?in|boarding|model|booking|reservation|order|reference|product|item|customer|article|sku|tax|sort|swift|bank|routing|iban|branch|merchant|currency|airport|股票|证券|商品|予約|注文|예약|주문|rastre\\p{L}*|seguimiento|suivi|sendungs|paket|відстеж\\p{L}*|отслеж\\p{L}*|takip|kargo|client\\p{L}?|klient\\p{L}*|kund(?:en?|nummer)?|клиент\\p{L}*|м[üу]шт\\p{L}*|müşteri|客[户戶]|顧客|고객|produ(?:cto|it|to|kt\\p{L}{0,3})|prodotto|товар\\p{L}*|ürün|产品|產品|상품|заказ\\p{L}*|замовлен\\p{L}*|pedido|commande|bestell\\p{L}*|ordine|zam[óo]wieni\\p{L}*|sipariş|订单|訂單|r[ée]servation|reserva|prenotazione|buchungs|rezerwac\\p{L}*|rezervasyon|бронир\\p{L}*|art[íi]culo|articolo|artikel|артикул\\p{L}*|pickup|取货|取貨|提货|航班",
    why: "it names a thing in somebody's books",
  },
  {
    words:
      "qr|bar|civil|penal|du travail|окпо|огрн|python|java|javascript|program|source|sample|dress|class|course|building|colou?r|style|of conduct|review|base|snippets?|block|morse|genetic|legal|penal|civil|源|ソース|소스",
    why: "it is no number that anybody types in",
  },
];

/** Advertising words: a weak code word near them means a voucher. */
export const MARKETING =
  "at checkout|discount|coupon|voucher|\\d ?% off|% off|off your|save \\d|free shipping|black friday|promo|gutschein|rabatt|descuento|desconto|sconto|r[ée]duction|korting|скидк|промокод|优惠|優惠|折扣|クーポン|割引|할인|쿠폰";

/** Words of a call invitation, whose number and passcode are not for signing in. */
export const CONFERENCE =
  "meeting id|webinar id|conference id|meeting number|access number|dial[- ]in|besprechungs-id|konferenz-id|id de r[ée]union|id de (?:la )?reuni[óo]n|id riunione|идентификатор конференции|会议号|會議號|ミーティング ?id|회의 ?id";

/** Units that make a number an amount. */
export const UNITS =
  "%|[€£$¥₹₽₩]|usd|eur|gbp|chf|dollars?|euros?|points?|miles|minutes?|minuten|mins?|seconds?|sekunden|hours?|days?|people|users|members|items|characters|words|kb|mb|gb|km|kg|元|円|원|分钟|分鐘|分間|秒|积分|ポイント|人|名様|рублей|руб";

/** The link between a code word and the code directly after it: "is", a colon and the like. */
export const LINKERS =
  "[:=>→፦៖՝-]|is|are|be|code|ist|lautet|est|es|é|è|sono|är|er|on|to|jest|je|este|esta|són|da|yra|ir|ay|ni|huwa|yw|është|это|то|е|је|нь|είναι|هو|هي|است|ہے|הוא|היא|է|है|छ|আছে|છે|ਹੈ|ஆகும்|ఉంది|[为為是係は]|[은는이가]|คือ|ແມ່ນ|គឺ|là|adalah|ialah|below|following|use|enter";

/** Currencies as written before an amount. */
export const CURRENCIES =
  "inr|rs|rp|usd|eur|gbp|chf|aed|sar|kes|ngn|zar|brl|r\\$|rm|pkr|idr|vnd|krw|jpy|cny|rmb|rub";

/** The words directly before another kind of number. */
export const OTHER_NUMBERS =
  "order|invoice|account|acct|card|article|art[íi]culo|artikel|dossier|vorgang|обращение|单号|單號|受付番号|접수번호|ending|ends|in|no|nr|number|ref|reference|phone|tel|call|sms|since|until|by|at|room|flight|version|ticket|case|issue|pull request|page|line|user|session|rechnung|bestellung|konto|commande|facture|compte|pedido|cuenta|fattura|ordine|заказ\\p{L}*|счет\\p{L}*|账号|帳號|账户|订单|訂單|手机|尾号|口座|注文|계좌|주문";

/** Words around a code without a code word that is to be entered for a purpose: the verb before it, and the purpose. */
export const ENTERED = {
  before:
    "(?:enter|use|type in|type|input|submit|geben sie|gib|nutze|saisissez|utilisez|entrez|introduce|introduzca|ingresa|usa|utiliza|digite|insira|inserisci|utilizza|voer|gebruik|введите|используйте|введіть|використайте|הזן|הזינו|הזיני|הקש|הקישו|הקלד|הקלידו|wpisz|użyj|zadejte|gir|masukkan|gunakan|nhập|输入|輸入|填写)",
  purpose:
    "(?:verif\\p{L}*|confirm\\p{L}*|log ?in|sign ?in|authenticat\\p{L}*|an(?:zu)?meld\\p{L}*|einzuloggen|bestätig\\p{L}*|vérifi\\p{L}*|connecter|iniciar sesión|acceder|entrar|accedere|bevestig\\p{L}*|inloggen|подтвер\\p{L}*|войти|вход\\p{L}*|підтвер\\p{L}*|увійти|לאימות|לאמת|להתחבר|להתחברות|לכניסה|להיכנס|להזדהות|potwierd\\p{L}*|zalogow\\p{L}*|potvr\\p{L}*|doğrula\\p{L}*|masuk|xác \\p{L}+|đăng nhập|验证|驗證|登录|登入)",
} as const;
