/** The words for a one-time code in one language. Sources of case-insensitive regular expressions. */
export interface CodeWords {
  language: string;
  /** Words that only mean a one-time code. */
  strong: string;
  /** Words for a code of any kind: the code must be close to them. */
  weak: string;
  /**
   * The language has spaces between words, so a match must start at a word boundary; an ending of up to five
   * letters may follow.
   */
  spaced: boolean;
  /** Why these words. */
  why: string;
}

/** Code words by language: what a mail calls its one-time code. */
export const CODE_WORDS: readonly CodeWords[] = [
  {
    language: "English",
    strong:
      "(?:(?:verification|verify|security|confirmation|authentication|authorization|auth|login|log-?in|sign-?in|sign-?up|access|activation|validation|recovery|reset|identity|id|2fa|mfa|otp|two-factor|two-step|one[- ]time|single[- ]use|temporary)[- ](?:pass)?(?:code|pin|password|token)|passcode|otp|one-time (?:code|number))",
    weak: "(?:code|pin)",
    spaced: true,
    why: "what services write, with the noun that says what the code is for; code and pin alone are said of much else",
  },
  {
    language: "German",
    strong:
      "(?:(?:best[äa]tigungs|verifizierungs|verifikations|sicherheits|anmelde|login|zugangs|aktivierungs|einmal|authentifizierungs|freischalt)[- ]?(?:code|passwort|kennwort|pin)|m?tan)",
    weak: "(?:kode|zahlencode)",
    spaced: true,
    why: "one compound word; a TAN is a bank's one-time code",
  },
  {
    language: "French",
    strong:
      "(?:(?:code|mot de passe) (?:de |d['’])?(?:v[ée]rification|s[ée]curit[ée]|confirmation|connexion|validation|activation|acc[èe]s|authentification|à usage unique|temporaire|unique))",
    weak: "(?:code)",
    spaced: true,
    why: "code with what it is for behind it",
  },
  {
    language: "Spanish and Portuguese",
    strong:
      "(?:(?:c[óo]digo|clave|contrase[ñn]a|senha) (?:de |do |único de )?(?:verifica[cç](?:i[óo]n|[ãa]o)|seguridad|seguran[çc]a|confirma[cç](?:i[óo]n|[ãa]o)|acceso|acesso|activaci[óo]n|ativa[çc][ãa]o|autenti\\p{L}{1,12}|inicio de sesi[óo]n|login|un solo uso|uso [úu]nico|[úu]nico|[úu]nica|temporal|tempor[áa]ri[oa]))",
    weak: "(?:c[óo]digo|clave)",
    spaced: true,
    why: "código, clave and senha with what they are for",
  },
  {
    language: "Italian",
    strong:
      "(?:(?:codice|password) (?:di |d['’]|temporane[oa] )?(?:verifica|sicurezza|conferma|accesso|attivazione|autenticazione|monouso|otp|temporane[oa]|usa e getta))",
    weak: "(?:codice)",
    spaced: true,
    why: "codice with what it is for",
  },
  {
    language: "Dutch",
    strong:
      "(?:(?:verificatie|beveiligings|bevestigings|inlog|toegangs|activerings|eenmalige)[- ]?(?:code|wachtwoord|pincode))",
    weak: "(?:pincode|deze code in)",
    spaced: true,
    why: "one compound word, or a verb around the code: vul deze code in",
  },
  {
    language: "Swedish, Danish and Norwegian",
    strong:
      "(?:(?:verifi[ce]rings|bekr[äæ]ftelses|bekreftelses|s[äi][kc]kerhe[dt]s|sikkerhets|engångs|engangs|inloggnings|login|logg?inn|aktiverings)[- ]?(?:kod|kode|lösenord|passord|adgangskode))",
    weak: "(?:kod|kode|koden)",
    spaced: true,
    why: "one compound word; kod and kode alone are codes of any kind",
  },
  {
    language: "Finnish, Hungarian and Estonian",
    strong:
      "(?:(?:vahvistus|turva|kertakäyttö|kirjautumis|kinnitus)\\p{L}{0,6}koodi|(?:ellenőrző|biztonsági|megerősítő|egyszeri|belépési) (?:kód|jelszó))",
    weak: "(?:koodi|kood|kód)",
    spaced: true,
    why: "stems, since the endings change with the sentence",
  },
  {
    language: "Polish, Czech, Slovak, Romanian and Croatian",
    strong:
      "(?:kod(?:u|em)? (?:weryfikac|bezpiecze|potwierdz|dost[ęe]p|logowan|jednoraz|autoryzac|aktywac)\\p{L}{0,10}|(?:ov[ěe][řr]ovac[íi]|bezpe[čc]nostn[íiý]|potvrzovac[íi]|overovac[íi]|jednorázov[éeý]|p[řr]ihla[šs]ovac[íi]) (?:k[óo]d|heslo)|cod(?:ul)? (?:de |t[ăa]u de )?(?:verificare|securitate|confirmare|autentificare|acces)|(?:kontrolni|potvrdni|sigurnosni|verifikacijski) k[ôo]d|has[łl]o jednorazowe)",
    weak: "(?:kod|k[óo]d|codul|cod)",
    spaced: true,
    why: "kod and cod with what they are for",
  },
  {
    language: "Russian, Ukrainian, Bulgarian and Serbian",
    strong:
      "(?:(?:код\\p{L}{0,3} (?:для )?(?:подтвержд|провер|безопасност|доступ|вход|авториз|активац|підтвердж|перевір|безпек|потвържд|сигурност|верифи)\\p{L}{0,10})|(?:проверочн|одноразов|секретн|кодов|временн|тимчасов|перевірочн)\\p{L}{1,4} (?:код|пароль|пароля|слово))",
    weak: "(?:код|пароль|пін|парола|лозинка|шифра|пин)",
    spaced: true,
    why: "код with what it is for, or with an adjective of one use",
  },
  {
    language: "Turkish and Azeri",
    strong:
      "(?:(?:doğrulama|güvenlik|onay|giriş|aktivasyon|tek kullanımlık|tek seferlik|təsdiq) (?:kod|şifre|parola))",
    weak: "(?:kodu\\p{L}{0,4}|şifre)",
    spaced: true,
    why: "kod and şifre with what they are for",
  },
  {
    language: "Greek",
    strong:
      "(?:κωδικ[όο]\\p{L}{0,2} (?:επαλήθευσης|ασφαλείας|επιβεβαίωσης|πρόσβασης|μίας χρήσης|μιας χρήσης|σύνδεσης))",
    weak: "(?:κωδικ[όο])",
    spaced: true,
    why: "κωδικός with what it is for",
  },
  {
    language: "Arabic and Persian",
    strong:
      "(?:(?:رمز|كود|کد|رقم) ?(?:ال)?(?:تحقق|التحقق|تأكيد|تاكيد|أمان|امان|دخول|الدخول|تفعيل|تایید|تأیید|ورود|یکبار مصرف|یک ?بار ?مصرف)|رمز عبور یکبار مصرف|كلمة مرور لمرة واحدة|رمز ?پویا)",
    weak: "(?:رمز|الرمز|كود|کد|الكود)",
    spaced: false,
    why: "the article and possessives are written onto the word",
  },
  {
    language: "Hebrew",
    strong:
      "(?:קוד (?:ה)?(?:אימות|אישור|אבטחה|כניסה|גישה|חד[ -]פעמי)|סיסמ(?:ה|ת) (?:ה)?(?:חד[ -]פעמית|זמנית|כניסה))",
    weak: "(?:קוד|סיסמה)",
    spaced: false,
    why: "the article is written onto the word",
  },
  {
    language: "Latvian, Lithuanian, Slovenian and Albanian",
    strong:
      "(?:(?:apstiprinājuma|drošības|piekļuves|verifikācijas|vienreizēj\\p{L}{1,3}) (?:kod|parol)\\p{L}{1,3}|(?:patvirtinimo|saugos|prisijungimo|vienkartin\\p{L}{1,3}) (?:kod|slaptažod)\\p{L}{1,4}|(?:potrditven|varnostn|enkratn)\\p{L}{1,3} (?:kod|gesl)\\p{L}{1,3}|kodi? (?:i )?(?:verifikimit|konfirmimit|sigurisë))",
    weak: "(?:kods|kodas|slaptažodis|parole|geslo|lozinka|fjalëkalimi)",
    spaced: true,
    why: "kods, kodas and geslo with what they are for, and the words for a password",
  },
  {
    language: "Uzbek and Russian in Latin letters",
    strong:
      "(?:tasdiqlash kodi|bir martalik (?:kod|parol)|(?:kod|parol) (?:dlya )?(?:podtverzhdeniya|vhoda|dostupa))",
    weak: "(?:parol|parolingiz)",
    spaced: true,
    why: "as banks text it to phones without Cyrillic",
  },
  {
    language: "Georgian, Armenian and Kazakh",
    strong:
      "(?:ერთჯერადი (?:კოდი|პაროლი)|დამადასტურებელი კოდი|(?:մեկանգամյա|հաստատման) (?:կոդ|գաղտնաբառ)\\p{L}{0,3}|(?:растау|бір реттік) (?:коды|құпиясөз|құпия сөз)\\p{L}{0,3})",
    weak: "(?:კოდი|პაროლი|կոդը|գաղտնաբառը|құпиясөз)",
    spaced: true,
    why: "code and password with what they are for",
  },
  {
    language: "Urdu, Gujarati, Telugu, Kannada, Malayalam and Punjabi",
    strong:
      "(?:تصدیقی کوڈ|او ٹی پی|ઓટીપી|ચકાસણી કોડ|ఓటీపీ|ధృవీకరణ కోడ్|ಒಟಿಪಿ|ಪರಿಶೀಲನಾ ಕೋಡ್|ഒടിപി|സ്ഥിരീകരണ കോഡ്|ਓਟੀਪੀ|ਪੁਸ਼ਟੀਕਰਨ ਕੋਡ)",
    weak: "(?:کوڈ|پاس ورڈ|કોડ|కోడ్|ಕೋಡ್|കോഡ്|ਕੋਡ)",
    spaced: false,
    why: "OTP as it is spelled, and code with what it is for",
  },
  {
    language: "Hindi, Bengali, Marathi and Tamil",
    strong:
      "(?:ओटीपी|(?:सत्यापन|सुरक्षा|पुष्टि|लॉगिन|वन-टाइम) (?:कोड|पासवर्ड)|যাচাইকরণ কোড|ওটিপি|சரிபார்ப்புக் குறியீடு|சரிபார்ப்பு குறியீடு)",
    weak: "(?:कोड|কোড|குறியீடு)",
    spaced: false,
    why: "OTP as it is spelled, and code with what it is for",
  },
  {
    language: "Chinese",
    strong:
      "(?:[验驗][证證][码碼]|[校检檢][验驗][码碼]|确认码|確認碼|认证码|認證碼|激活码|啟動碼|安全[码碼]|登[录錄入]码|动态密?码|動態密?碼|动态口令|一次性(?:密码|密碼|代码|驗證碼)|随机码|短信码|授权码)",
    weak: "(?:代[码碼]|口令|密[码碼])",
    spaced: false,
    why: "two or three signs say it; 代码 and 密码 are codes and passwords of any kind",
  },
  {
    language: "Japanese",
    strong:
      "(?:(?:認証|確認|検証|セキュリティ|ログイン|アクセス|ワンタイム|二段階認証|本人確認|承認)(?:用)?の?(?:コード|番号|キー|パスワード|パスコード)|ワンタイムパス|認証用?コード|暗証番号)",
    weak: "(?:コード|パスコード|パスワード)",
    spaced: false,
    why: "コード and 番号 with what they are for",
  },
  {
    language: "Korean",
    strong: "(?:(?:인증|확인|보안|검증|로그인|일회용|본인 ?확인|승인) ?(?:번호|코드|키|비밀번호|암호))",
    weak: "(?:코드|비밀번호)",
    spaced: false,
    why: "번호 and 코드 with what they are for; particles follow without a space",
  },
  {
    language: "Thai",
    strong: "(?:รหัส ?(?:ยืนยัน|OTP|ผ่านครั้งเดียว|ความปลอดภัย|ตรวจสอบ|เข้าสู่ระบบ|ผ่านแบบใช้ครั้งเดียว))",
    weak: "(?:รหัส)",
    spaced: false,
    why: "รหัส with what it is for",
  },
  {
    language: "Vietnamese",
    strong:
      "(?:(?:mã|mật khẩu) (?:số )?(?:xác (?:minh|nhận|thực)|bảo mật|OTP|đăng nhập|truy cập|kích hoạt|một lần|dùng một lần))",
    weak: "(?:mã)",
    spaced: true,
    why: "mã with what it is for",
  },
  {
    language: "Indonesian, Malay and Filipino",
    strong:
      "(?:(?:kode|kod|sandi) (?:verifikasi|pengesahan|keamanan|keselamatan|konfirmasi|otentikasi|masuk|akses|aktivasi|sekali pakai|otp)|kata sandi sekali pakai)",
    weak: "(?:kode)",
    spaced: true,
    why: "kode with what it is for",
  },
];

/** Words directly before or after the code word that make it another kind of code. */
export const OTHER_CODES: readonly { words: string; why: string }[] = [
  {
    words:
      "promo\\p{L}*|discount|coupon|voucher|gift|gift card|referral|invit\\p{L}*|offer|rabatt|gutschein|aktions|descuento|promocional|r[ée]duction|parrainage|desconto|sconto|korting\\p{L}*|промо\\p{L}*|скидк\\p{L}*|купон\\p{L}*|indirim|优惠|優惠|折扣|邀请|邀請|クーポン|割引|招待|할인|쿠폰|초대|خصم",
    why: "it buys something",
  },
  {
    words: "zip|postal|post|area|country|dial\\p{L}*|postleitzahl|vorwahl|邮政|郵遞|郵便|우편|почтов\\p{L}*",
    why: "it names a place",
  },
  {
    words: "error|status|exit|http|response|reason|return|fehler|erreur|错误|錯誤|エラー|오류|ошибк\\p{L}*",
    why: "it tells of a failure",
  },
  {
    words:
      "track\\p{L}*|collection|pick-?up|locker|check-?in|boarding|model|booking|reservation|order|reference|product|item|customer|article|sku|tax|sort|swift|bank|routing|iban|branch|merchant|currency|airport|股票|证券|商品|予約|注文|예약|주문|rastreio",
    why: "it names a thing in somebody's books",
  },
  {
    words:
      "qr|bar|python|java|javascript|program|source|sample|dress|class|course|building|colou?r|style|of conduct|review|base|snippets?|block|morse|genetic|legal|penal|civil|源|ソース|소스",
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

/** What comes directly before a code after its code word: "is", a colon and the like. */
export const LINKERS =
  "[:=>→-]|is|are|be|code|ist|lautet|est|es|é|è|sono|är|er|on|to|jest|je|este|это|то|είναι|هو|هي|הוא|है|[为為是は]|[은는이가]|คือ|là|adalah|ialah|below|following|use|enter";

/** What comes directly before another kind of number. */
export const OTHER_NUMBERS =
  "order|invoice|account|acct|card|ending|ends|in|no|nr|number|ref|reference|phone|tel|call|sms|since|until|by|at|room|flight|version|ticket|case|issue|pull request|page|line|user|session|rechnung|bestellung|konto|commande|facture|compte|pedido|cuenta|fattura|ordine|заказ\\p{L}*|счет\\p{L}*|账号|帳號|账户|订单|訂單|手机|尾号|口座|注文|계좌|주문";

/** A code without a code word that is to be entered for a purpose: the words before and after it. */
export const ENTERED = {
  before:
    "(?:enter|use|type in|type|input|submit|geben sie|gib|nutze|saisissez|utilisez|entrez|introduce|introduzca|ingresa|usa|utiliza|digite|insira|inserisci|utilizza|voer|gebruik|введите|используйте|wpisz|użyj|zadejte|gir|masukkan|gunakan|nhập|输入|輸入|填写)",
  behind:
    ".{0,24}?(?:verif\\p{L}*|confirm\\p{L}*|log ?in|sign ?in|authenticat\\p{L}*|an(?:zu)?meld\\p{L}*|einzuloggen|bestätig\\p{L}*|vérifi\\p{L}*|connecter|iniciar sesión|acceder|entrar|accedere|bevestig\\p{L}*|inloggen|подтверд\\p{L}*|войти|входа|potwierd\\p{L}*|zalogow\\p{L}*|potvr\\p{L}*|doğrula\\p{L}*|masuk|xác \\p{L}+|đăng nhập|验证|驗證|登录|登入)",
} as const;
