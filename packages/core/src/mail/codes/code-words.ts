/** The words for a one-time code in one language. Sources of case-insensitive regular expressions, matched without marks. */
export interface CodeWords {
  language: string;
  /** Words that only mean a one-time code; where words are spaced, up to five more letters may follow. */
  strong: string;
  /** Words for a code of any kind: the code must be close to them, or one of the purposes. */
  weak: string;
  /** Words for a password or another secret of any kind: only digits that directly follow are a code. */
  secret?: string;
  /** Stems of what a one-time code is for, or of how often it works: near a weak word or a secret they make it strong. */
  purpose?: string;
  /** The language has spaces between words, so a match begins and ends at a word boundary. */
  spaced: boolean;
  /** The language is written in Latin letters. */
  latin: boolean;
  /** Why these words. */
  why: string;
}

/** Code words by language: what a mail calls its one-time code. */
export const CODE_WORDS: readonly CodeWords[] = [
  {
    language: "English",
    strong:
      "(?:(?:verification|verify|security|confirmation|authentication|authorization|authorisation|auth|login|log-?in|sign-?in|sign-?up|access|activation|validation|recovery|reset|identity|id|2fa|mfa|otp|two-factor|two-step|one[- ]time|single[- ]use|temporary)[- ](?:pass)?(?:code|pin|password|token)|passcode|m?otp|one-time (?:code|number|key)|sms[- ]?(?:code|pin|token|otp|kod\\p{L}{0,3})|(?:code|kode?|c[óo]digo|codice|cod) (?:via |por |par )?sms|verification (?:number|key)|(?:these|the|following|your) (?:four|five|six|seven|eight|[4-8])[- ]?digits?)",
    weak: "(?:code|pin)",
    secret: "(?:password|passwd|pwd|pass ?key|security key|token|pin ?code|m-?pin|t-?pin)",
    purpose:
      "(?:verif|confirm|log(?:ging)?[- ]?in|sign(?:ing)?[- ]?(?:in|up)|authenticat|two-factor|two-step|2fa|mfa|otp|one[- ]time|single[- ]use)",
    spaced: true,
    latin: true,
    why: "what services write, with the noun that says what the code is for; code and pin alone are said of much else",
  },
  {
    language: "German",
    strong:
      "(?:(?:\\p{L}{0,16}(?:best[äa]tigungs|verifizierungs|verifikations|sicherheits|anmelde|login|zugangs|zugriffs|aktivierungs|einmal|authentifizierungs|authentisierungs|freischalt|freigabe|pr[üu]f)[- ]?(?:code|passwort|kennwort|pin|schl[üu]ssel))|(?:push|m|sms|chip)?-?tan(?!\\p{L}))",
    weak: "(?:kode|zahlencode|ziffernfolge)",
    secret: "(?:passwort|kennwort|pin-?nummer)",
    purpose: "(?:best[äa]tig|anmeld|einlogg|einmal|verifizier|authentifizier|freischalt|zur[üu]cksetz)",
    spaced: true,
    latin: true,
    why: "one compound word; a TAN is a bank's one-time code",
  },
  {
    language: "French",
    strong:
      "(?:(?:code|mot de passe) (?:de |d['’])?(?:v[ée]rification|s[ée]curit[ée]|confirmation|connexion|validation|activation|acc[èe]s|authentification|à usage unique|temporaire|unique|secret|provisoire))",
    weak: "(?:code)",
    secret: "(?:mot de passe|mdp|code pin)",
    purpose:
      "(?:v[ée]rifi|connexion|connecter|authentifi|usage unique|temporaire|provisoire|valider|à (?:saisir|entrer|composer|renseigner))",
    spaced: true,
    latin: true,
    why: "code with what it is for behind it",
  },
  {
    language: "Spanish, Portuguese, Catalan and Galician",
    strong:
      "(?:(?:c[óo]digo|clave|contrase[ñn]a|senha|palavra-passe|codi|contrasenya) (?:de |do |d['’]|único de )?(?:verificaci[óo]n?|verifica[cç][ãa]o|seguridad|seguran[çc]a|seguretat|confirmaci[óo]n?|confirma[cç][ãa]o|acceso|acesso|acc[ée]s|activaci[óo]n?|ativa[çc][ãa]o|autenti\\p{L}{1,12}|autoriza\\p{L}{1,6}|inicio de sesi[óo]n|login|un solo uso|uso [úu]nico|[úu]nico|[úu]nica|temporal|tempor[áa]ri[oa]|provis[óo]ri[oa]|din[áa]mic[oa]|secret[oa]))",
    weak: "(?:c[óo]digo|clave|codi)",
    secret: "(?:contrase[ñn]a|senha|palavra-passe|contrasenya|contrasinal)",
    purpose:
      "(?:verifica|confirma|iniciar sesi|inicio de sesi|entrar|ingresar|acceder|aceder|acessar|autentica|validar|un solo uso|uso [úu]nic|tempor[aá]l|tempor[áa]ri|provis[óo]ri|provisional|din[áa]mic|(?:a|para) (?:introducir|ingresar|inserir|introduzir|digitar))",
    spaced: true,
    latin: true,
    why: "código, clave, senha and codi with what they are for",
  },
  {
    language: "Italian",
    strong:
      "(?:(?:codice|password|pin) (?:di |d['’]|temporane[oa] )?(?:verifica|sicurezza|conferma|accesso|attivazione|autenticazione|autorizzazione|monouso|otp|temporane[oa]|usa e getta|provvisori[oa]|segreto))",
    weak: "(?:codice)",
    secret: "(?:parola d['’]ordine|codice pin)",
    purpose:
      "(?:verific|conferm|accedere|autentic|monouso|usa e getta|temporane|provvisori|da (?:inserire|digitare|immettere))",
    spaced: true,
    latin: true,
    why: "codice with what it is for",
  },
  {
    language: "Romanian",
    strong:
      "(?:cod(?:ul)? (?:\\p{L}{1,6}\\.? )?(?:de |t[ăa]u de )?(?:verificare|securitate|confirmare|autentificare|acces|activare|unic[ăa]? (?:de )?folosin)|parol[ăa] (?:de )?unic)",
    weak: "(?:codul|cod)",
    secret: "(?:parol[ăa]|parola)",
    purpose: "(?:verific|confirm|autentific|conecta|unic[ăa] (?:de )?folosin|temporar)",
    spaced: true,
    latin: true,
    why: "cod with what it is for",
  },
  {
    language: "Dutch and Afrikaans",
    strong:
      "(?:(?:verificatie|verifikasie|beveiligings|sekuriteits|bevestigings|inlog|aanmeld|aanteken|toegangs|activerings|activatie|eenmalige|eenmalig|tijdelijke|controle)[- ]?(?:code|kode|wachtwoord|wagwoord|pincode|pin))",
    weak: "(?:pincode|deze code in)",
    secret: "(?:wachtwoord|wagwoord)",
    purpose: "(?:verifi|bevestig|inlog|in te loggen|aanmeld|eenmalig|tijdelijk)",
    spaced: true,
    latin: true,
    why: "one compound word, or a verb around the code: vul deze code in",
  },
  {
    language: "Swedish, Danish, Norwegian, Icelandic and Faroese",
    strong:
      "(?:(?:verifi[ces]?e?rings|verifikations|verifikasjons|bekr[äæ]ftelses|bekreftelses|s[äi][kc]kerhe[dt]s|s[äa]kerhets|sikkerheds|sikkerhets|engångs|engangs|inloggnings|innloggings|login|logind?|logg?inn|aktiverings|godkendelses|identifierings|auðkennis|sta[ðd]festingar|[öo]ryggis|innskr[áa]ningar)[- ]?(?:kod|kode|k[óo][ðd]i|lösenord|passord|adgangskode|pin|n[úu]mer))",
    weak: "(?:kod|koden|kode|kóði|kóðinn|kóða)",
    secret: "(?:l[öo]senord(?:et)?|adgangskode[nr]?|passord(?:et)?|lykilor[ðd])",
    purpose:
      "(?:verifi|bekr[äæa]ft|bekreft|logg[ae]? inn?|engång|engang|tillf[äa]llig|midlertidig|sta[ðd]fest)",
    spaced: true,
    latin: true,
    why: "one compound word; kod and kode alone are codes of any kind",
  },
  {
    language: "Finnish and Estonian",
    strong:
      "(?:(?:vahvistus|turva|kertakäyttö|kirjautumis|tunnistus|aktivointi|kinnitus|turva|sisselogimis)\\p{L}{0,6}(?:koodi?|tunnus|salasana)|ühekordne (?:kood|parool)|kertakäyttöi\\p{L}{1,6} (?:koodi|salasana))",
    weak: "(?:koodi|koodisi|koodin|kood|koodiga)",
    secret: "(?:salasana(?:si|n|nne)?|parool(?:i)?)",
    purpose: "(?:vahvist|kertak[äa]ytt|kirjautu|kinnita|[üu]hekord|sisse log|v[äa]liaikai|ajuti)",
    spaced: true,
    latin: true,
    why: "stems, since the endings change with the sentence",
  },
  {
    language: "Hungarian",
    strong:
      "(?:(?:ellenőrző|biztonsági|megerősítő|egyszeri|belépési|hitelesítő|aktiváló|azonosító) (?:kód|jelszó|jelszav))",
    weak: "(?:kód|kódja|kódod|kódot|kódját)",
    secret: "(?:jelszó|jelszava|jelszavad|jelszavát)",
    purpose: "(?:ellen[őo]r|meger[őo]s|egyszer|bel[ée]p|bejelentkez|hiteles[íi]t|ideiglenes)",
    spaced: true,
    latin: true,
    why: "kód and jelszó with what they are for",
  },
  {
    language: "Polish",
    strong:
      "(?:kod(?:u|em)? (?:weryfikac|bezpiecze|potwierdz|dost[ęe]p|logowan|jednoraz|autoryzac|aktywac|uwierzyteln)\\p{L}{0,10}|(?:jednoraz|tymczas)\\p{L}{1,5} (?:kod|has[łl])|has[łl]o jednorazowe)",
    weak: "(?:kod|kodu|kodem)",
    secret: "(?:has[łl]o|has[łl]em)",
    purpose: "(?:weryfik|potwierd|zalogow|logowan|jednoraz|autoryz|uwierzyteln|tymczas)",
    spaced: true,
    latin: true,
    why: "kod and hasło with what they are for",
  },
  {
    language: "Czech and Slovak",
    strong:
      "(?:(?:ov[ěe][řr]ovac[íi]|bezpe[čc]nostn[íiýy]|potvrzovac[íi]|potvrdzovac[íi]|autoriza[čc]n[íiýy]|aktiva[čc]n[íiýy]|jednor[áa]zov[éeýyou]{1,2}|p[řr]ihla[šs]ovac[íi]|p[řr][íi]stupov[ýyéeý]) (?:k[óo]d|heslo|pin))",
    weak: "(?:kód|kódu|kódem|kódom|kod)",
    secret: "(?:heslo|heslem|heslom)",
    purpose: "(?:ov[ěe][řr]|potvr[zd]|p[řr]ihl[áa][šs]|jednor[áa]zov|do[čc]asn)",
    spaced: true,
    latin: true,
    why: "kód and heslo with what they are for",
  },
  {
    language: "Slovenian, Croatian, Bosnian and Serbian in Latin letters",
    strong:
      "(?:(?:kontrolni|potvrdni|sigurnosni|verifikacijski|verifikacioni|pristupni|aktivacijski|aktivacioni|jednokratn[ai]) (?:k[ôo]d|lozinka|pin)|(?:potrditven|varnostn|enkratn|preveritven)\\p{L}{1,3} (?:kod|gesl|pin)\\p{L}{0,3}|kod za (?:potvrdu|provjeru|proveru|prijavu|pristup))",
    weak: "(?:kôd|kod|koda|kodo)",
    secret: "(?:lozinka|lozinku|geslo)",
    purpose: "(?:potvr|provjer|prover|prijav|jednokrat|privremen|enkrat|za[čc]asn)",
    spaced: true,
    latin: true,
    why: "kod and koda with what they are for",
  },
  {
    language: "Latvian and Lithuanian",
    strong:
      "(?:(?:apstiprin[āa]juma|dro[šs][īi]bas|piek[ļl]uves|verifik[āa]cijas|vienreiz[ēe]j\\p{L}{1,3}|autoriz[āa]cijas) (?:kod|parol)\\p{L}{1,3}|(?:patvirtinimo|saugos|prisijungimo|vienkartin\\p{L}{1,3}|tapatyb[ėe]s) (?:kod|slapta[žz]od)\\p{L}{1,4})",
    weak: "(?:kods|kodu|kodas|kodą)",
    secret: "(?:parole|slapta[žz]odis)",
    purpose: "(?:apstiprin|vienreiz|pieteik|patvirtin|prisijung|vienkart|laikin)",
    spaced: true,
    latin: true,
    why: "kods and kodas with what they are for",
  },
  {
    language: "Albanian, Maltese, Irish, Welsh, Basque and Esperanto",
    strong:
      "(?:kodi?(?: juaj)? (?:i |e )?(?:verifikimit|konfirmimit|siguris[ëe]|hyrjes)|kodi[ċc]i ta['’] (?:verifika|sigurt[àa]|konferma)|ch?[óo]d (?:f[íi]oraithe|sl[áa]nd[áa]la|deimhnithe)|cod (?:dilysu|diogelwch|cadarnhau|mynediad)|(?:egiaztapen|egiaztatze|segurtasun|sarbide)-?(?: )?kode|konfirma kodo)",
    weak: "(?:kodi|kodo|kodea)",
    secret: "(?:fjal[ëe]kalimi|pasvorto|pasahitza|cyfrinair|focal faire)",
    purpose: "(?:verifik|konfirm|vet[ëe]m nj[ëe] her)",
    spaced: true,
    latin: true,
    why: "the word for code with what it is for",
  },
  {
    language: "Turkish and Azeri",
    strong:
      "(?:(?:doğrulama|güvenlik|onay|giriş|aktivasyon|tek kullanımlık|tek seferlik|geçici|təsdiq|birdəfəlik|təhlükəsizlik) (?:kod|şifre|parola|parol)\\p{L}{0,8})",
    weak: "(?:kodu\\p{L}{0,4}|kodunuz|kodun)",
    secret: "(?:şifre\\p{L}{0,5}|parola\\p{L}{0,4}|şifrə\\p{L}{0,4}|parol\\p{L}{0,5})",
    purpose: "(?:do[ğg]rula|onay|giri[şs]|tek kullan|tek sefer|ge[çc]ici|t[əe]sdiq)",
    spaced: true,
    latin: true,
    why: "kod and şifre with what they are for",
  },
  {
    language: "Uzbek, Turkmen and Russian in Latin letters",
    strong:
      "(?:tasdiqlash kodi|bir martalik (?:kod|parol)|tassyklama kody|(?:kod|parol) (?:dlya |dlja )?(?:podtverzhdeniya|podtverjdeniya|vhoda|vkhoda|dostupa|avtorizatsii)|(?:odnorazov|vremenn)\\p{L}{1,3} (?:kod|parol))",
    weak: "(?:kodi|kodingiz)",
    secret: "(?:parol|parolingiz)",
    purpose: "(?:tasdiq|bir martalik|podtver|vhod)",
    spaced: true,
    latin: true,
    why: "as banks text it to phones without Cyrillic",
  },
  {
    language: "Vietnamese",
    strong:
      "(?:(?:mã|mật khẩu) (?:số )?(?:xác (?:minh|nhận|thực)|bảo mật|an toàn|otp|đăng nhập|truy cập|kích hoạt|một lần|dùng một lần|tạm thời))",
    weak: "(?:mã(?: số)? của)",
    secret: "(?:mật khẩu|mã pin)",
    purpose: "(?:xác (?:minh|nhận|thực)|đăng nhập|một lần)",
    spaced: true,
    latin: true,
    why: "mã with what it is for; alone, without marks, it is a word of other languages",
  },
  {
    language: "Indonesian, Malay, Filipino and Javanese",
    strong:
      "(?:(?:kode|kod|sandi|kata laluan|nombor|nomor) (?:verifikasi|pengesahan|keamanan|keselamatan|konfirmasi|otentikasi|autentikasi|masuk|akses|aktivasi|pengaktifan|sekali (?:pakai|guna)|otp|tac)|kata (?:sandi|laluan) (?:sekali (?:pakai|guna)|sementara)|tac(?!\\p{L}))",
    weak: "(?:kode|kod)",
    secret: "(?:kata (?:sandi|laluan)|sandi)",
    purpose: "(?:verifikasi|pengesahan|konfirmasi|masuk|sekali|sementara|pagpapatunay|beripika)",
    spaced: true,
    latin: true,
    why: "kode with what it is for; a TAC is a Malaysian bank's one-time code",
  },
  {
    language: "Swahili, Somali, Hausa, Yoruba and Zulu",
    strong:
      "(?:(?:nambari|msimbo|kodi)(?: \\p{L}{1,6})?(?: wa| ya)? (?:uthibitisho|kuthibitisha|usalama|siri)|koodhka (?:xaqiijinta|hubinta)|lambar (?:tabbatarwa|tsaro)|ikhodi yokuqinisekisa)",
    weak: "(?:msimbo|koodhka|ikhodi)",
    secret: "(?:nywila|nenosiri)",
    purpose: "(?:uthibitish|thibitish|xaqiiji|tabbatar|qinisek)",
    spaced: true,
    latin: true,
    why: "the word for code or number with what it is for",
  },
  {
    language: "Russian, Ukrainian, Belarusian, Bulgarian, Macedonian and Serbian",
    strong:
      "(?:(?:код\\p{L}{0,3} (?:для |за )?(?:подтвержд|провер|безопасн|доступ|вход|авториз|активац|аутентиф|підтвердж|перевір|безпек|автентиф|потвържд|сигурност|верифи|потврд|пацвярдж|пацверджан|активир|смен|восстанов)\\p{L}{0,10})|(?:проверочн|одноразов|аднаразов|секретн|кодов|временн|тимчасов|перевірочн|еднократн|сигурносн|верификацион|верификациски)\\p{L}{1,4} (?:код|пароль|пароля|парол|слово|лозинка))",
    weak: "(?:код|коду|кода|кодом|кодот|кодът|пін|пин|пин-?код|шифра)",
    secret: "(?:пароль|паролем|пароля|парола|паролата|лозинка|лозинката)",
    purpose:
      "(?:подтвер|провер|авториз|аутентиф|одноразов|временн|вход|підтвер|перевір|автентиф|тимчасов|потвърд|верифи|потврд|пацв|еднократн)",
    spaced: true,
    latin: false,
    why: "код with what it is for, or with an adjective of one use",
  },
  {
    language: "Kazakh, Kyrgyz, Tajik, Uzbek, Tatar and Mongolian in Cyrillic letters",
    strong:
      "(?:(?:растау|бір реттік|қауіпсіздік|кіру) (?:код|құпиясөз|құпия сөз)\\p{L}{0,3}|(?:ырастоо|бир жолку|коопсуздук) (?:код|сырсөз)\\p{L}{0,3}|рамзи (?:тасдиқ|якдафъаина|воридшавӣ)|(?:тасдиқлаш|бир марталик) (?:код|парол)\\p{L}{0,3}|(?:баталгаажуулах|нэг удаагийн|нууц) (?:код|дугаар|үг))",
    weak: "(?:коды|коди|коду|рамз|рамзи)",
    secret: "(?:құпиясөз|сырсөз|парол|нууц үг)",
    purpose: "(?:растау|бір рет|ырастоо|тасдиқ|баталгаажуул)",
    spaced: true,
    latin: false,
    why: "code and password with what they are for",
  },
  {
    language: "Greek",
    strong:
      "(?:κωδικ[όο]\\p{L}{0,2} (?:επαλήθευσης|ασφαλείας|επιβεβαίωσης|πρόσβασης|μίας χρήσης|μιας χρήσης|σύνδεσης|ενεργοποίησης|ταυτοποίησης))",
    weak: "(?:κωδικ[όο]ς?|κωδικού)",
    purpose: "(?:επαλήθευσ|επιβεβαίωσ|σύνδεσ|μ[ιί]ας χρήσης|ταυτοποίησ|προσωριν)",
    spaced: true,
    latin: false,
    why: "κωδικός with what it is for",
  },
  {
    language: "Georgian and Armenian",
    strong:
      "(?:(?:ერთჯერადი|დამადასტურებელი|ვერიფიკაციის|უსაფრთხოების) (?:კოდ|პაროლ)\\p{L}{0,3}|(?:մեկանգամյա|հաստատման|անվտանգության|մուտքի) (?:կոդ|գաղտնաբառ|ծածկագիր)\\p{L}{0,3})",
    weak: "(?:კოდი|კოდია|კოდს|կոդը|կոդն)",
    secret: "(?:პაროლი|პაროლია|գաղտնաբառը)",
    spaced: true,
    latin: false,
    why: "code and password with what they are for",
  },
  {
    language: "Arabic, Persian and Kurdish",
    strong:
      "(?:(?:رمز|كود|کد|رقم|کۆدی) ?(?:ال)?(?:تحقق|التحقق|تأكيد|تاكيد|أمان|امان|دخول|الدخول|تفعيل|مصادقة|مرور مؤقت|تایید|تأیید|ورود|احراز|فعال ?سازی|یکبار مصرف|یک ?بار ?مصرف|دڵنیاکردنەوە|پشتڕاستکردنەوە)|رمز عبور یکبار مصرف|كلمة (?:ال)?(?:مرور|سر) (?:ال)?(?:مؤقتة|لمرة واحدة)|رمز ?(?:پویا|دوم))",
    weak: "(?:رمز|الرمز|كود|کد|الكود|کۆد)",
    secret: "(?:كلمة (?:ال)?(?:مرور|سر)|رمز عبور|گذرواژه|کلمه عبور|وشەی نهێنی)",
    purpose: "(?:تحقق|تأكيد|تسجيل الدخول|تایید|ورود|یکبار|مؤقت|لمرة واحدة)",
    spaced: false,
    latin: false,
    why: "the article and possessives are written onto the word",
  },
  {
    language: "Urdu",
    strong: "(?:تصدیقی کوڈ|او ٹی پی|سیکیورٹی کوڈ|توثیقی کوڈ|لاگ ?ان کوڈ|ایک بار کا پاس ورڈ)",
    weak: "(?:کوڈ)",
    secret: "(?:پاس ورڈ|خفیہ نمبر)",
    purpose: "(?:تصدیق|توثیق|لاگ ?ان)",
    spaced: false,
    latin: false,
    why: "code with what it is for",
  },
  {
    language: "Hebrew and Yiddish",
    strong:
      "(?:קוד (?:ה)?(?:אימות|אישור|אבטחה|כניסה|גישה|הפעלה|זמני|חד[ -]?פעמי)|סיסמ(?:ה|ת) (?:ה)?(?:חד[ -]?פעמית|זמנית|כניסה))",
    weak: "(?:קוד|קאד)",
    secret: "(?:סיסמה|סיסמת|סיסמתך|פאסווארט)",
    purpose: "(?:אימות|כניסה|התחבר|חד[ -]?פעמי|זמני)",
    spaced: false,
    latin: false,
    why: "the article is written onto the word",
  },
  {
    language: "Amharic and Tigrinya",
    strong: "(?:የማረጋገጫ ኮድ|ማረጋገጫ ኮድ|የይለፍ ኮድ|መረጋገጺ ኮድ)",
    weak: "(?:ኮድ)",
    secret: "(?:የይለፍ ቃል)",
    purpose: "(?:ማረጋገጫ|መግቢያ)",
    spaced: false,
    latin: false,
    why: "code with what it is for",
  },
  {
    language: "Hindi, Marathi and Nepali",
    strong:
      "(?:ओटीपी|ओ\\.टी\\.पी|(?:सत्यापन|सुरक्षा|पुष्टि|पुष्टिकरण|लॉगिन|लॉग इन|वन[- ]?टाइम|पडताळणी|प्रमाणीकरण|रुजु) (?:कोड|पासवर्ड|पिन))",
    weak: "(?:कोड|पिन)",
    secret: "(?:पासवर्ड|कूटशब्द)",
    purpose: "(?:सत्याप|पुष्टि|लॉग ?इन|वन[- ]?टाइम|पडताळ|प्रमाणी)",
    spaced: false,
    latin: false,
    why: "OTP as it is spelled, and code with what it is for",
  },
  {
    language: "Bengali, Assamese and Odia",
    strong: "(?:(?:যাচাইকরণ|যাচাই|নিশ্চিতকরণ|নিরাপত্তা|লগইন|সত্যাপন) (?:কোড|পিন)|ওটিপি|(?:ଯାଞ୍ଚ|ସତ୍ୟାପନ|ନିଶ୍ଚିତକରଣ) କୋଡ|ଓଟିପି)",
    weak: "(?:কোড|କୋଡ)",
    secret: "(?:পাসওয়ার্ড|ପାସୱାର୍ଡ)",
    purpose: "(?:যাচাই|নিশ্চিত|লগইন|ଯାଞ୍ଚ)",
    spaced: false,
    latin: false,
    why: "OTP as it is spelled, and code with what it is for",
  },
  {
    language: "Gujarati and Punjabi",
    strong: "(?:ઓટીપી|(?:ચકાસણી|સુરક્ષા|પુષ્ટિ) કોડ|ਓਟੀਪੀ|(?:ਪੁਸ਼ਟੀਕਰਨ|ਤਸਦੀਕ|ਸੁਰੱਖਿਆ) ਕੋਡ)",
    weak: "(?:કોડ|ਕੋਡ)",
    secret: "(?:પાસવર્ડ|ਪਾਸਵਰਡ)",
    purpose: "(?:ચકાસણી|ਪੁਸ਼ਟੀ|ਤਸਦੀਕ)",
    spaced: false,
    latin: false,
    why: "OTP as it is spelled, and code with what it is for",
  },
  {
    language: "Tamil, Telugu, Kannada, Malayalam and Sinhala",
    strong:
      "(?:சரிபார்ப்புக்? குறியீடு|உறுதிப்படுத்தல் குறியீடு|ஓடிபி|ஓ\\.டி\\.பி|ఓటీపీ|ఓటిపి|(?:ధృవీకరణ|ధ్రువీకరణ|నిర్ధారణ) కోడ్|ಒಟಿಪಿ|(?:ಪರಿಶೀಲನಾ|ದೃಢೀಕರಣ) ಕೋಡ್|ഒടിപി|ഒ\\.ടി\\.പി|(?:സ്ഥിരീകരണ|പരിശോധനാ|പരിശോധന) കോഡ്|(?:සත්යාපන|තහවුරු කිරීමේ|ආරක්ෂක) කේත)",
    weak: "(?:குறியீடு|கடவுக்குறியீடு|కోడ్|ಕೋಡ್|കോഡ്|කේතය)",
    secret: "(?:கடவுச்சொல்|పాస్వర్డ్|ಪಾಸ್ವರ್ಡ್|പാസ്വേഡ്|මුරපදය)",
    purpose: "(?:சரிபார்|ధృవీ|ಪರಿಶೀಲ|സ്ഥിരീക|සත්යාප)",
    spaced: false,
    latin: false,
    why: "OTP as it is spelled, and code with what it is for",
  },
  {
    language: "Thai, Lao, Khmer and Burmese",
    strong:
      "(?:รหัส ?(?:ยืนยัน|otp|ผ่านครั้งเดียว|ความปลอดภัย|ตรวจสอบ|เข้าสู่ระบบ|ผ่านแบบใช้ครั้งเดียว|ใช้ครั้งเดียว)|โอทีพี|ລະຫັດ ?(?:ຢືນຢັນ|ຜ່ານຄັ້ງດຽວ)|(?:លេខ)?កូដ ?(?:ផ្ទៀងផ្ទាត់|បញ្ជាក់|សម្ងាត់)|(?:အတည်ပြု|လုံခြုံရေး) ?(?:ကုဒ်|ကုတ်))",
    weak: "(?:รหัส|ລະຫັດ|កូដ|ကုဒ်)",
    secret: "(?:รหัสผ่าน|ລະຫັດຜ່ານ|ពាក្យសម្ងាត់|စကားဝှက်)",
    purpose: "(?:ยืนยัน|ครั้งเดียว|เข้าสู่ระบบ|ຢືນຢັນ|ផ្ទៀងផ្ទាត់|အတည်ပြု)",
    spaced: false,
    latin: false,
    why: "the word for code with what it is for",
  },
  {
    language: "Chinese",
    strong:
      "(?:[验驗][证證][码碼號号]|[校检檢效][验驗][码碼]|确认码|確認碼|认证码|認證碼|激活码|啟動碼|启动码|安全[码碼]|登[录錄入陆陸][码碼]|动态密?[码碼]|動態密?碼|动态口令|動態口令|一次性(?:密码|密碼|代码|代碼|驗證碼|口令)|随机[码碼]|隨機碼|短信[码碼]|簡訊碼|授权[码碼]|授權碼|识别码|临时密码|臨時密碼)",
    weak: "(?:代[码碼])",
    secret: "(?:密[码碼]|口令)",
    purpose: "(?:[验驗][证證]|登[录錄入]|一次性|[动動][态態]|[临臨][时時])",
    spaced: false,
    latin: false,
    why: "two or three signs say it; 代码 and 密码 are codes and passwords of any kind",
  },
  {
    language: "Japanese",
    strong:
      "(?:(?:認証|確認|検証|セキュリティ|ログイン|アクセス|ワンタイム|二段階認証|2段階認証|本人確認|承認|照合)(?:用)?の?(?:コード|番号|キー|パスワード|パスコード|ナンバー)|ワンタイムパス|認証用?コード|暗証番号|仮パスワード)",
    weak: "(?:コード|パスコード)",
    secret: "(?:パスワード)",
    purpose: "(?:認証|確認|ログイン|ワンタイム|本人)",
    spaced: false,
    latin: false,
    why: "コード and 番号 with what they are for",
  },
  {
    language: "Korean",
    strong:
      "(?:(?:인증|확인|보안|검증|로그인|일회용|임시|본인 ?확인|승인)(?:을 위한)? ?(?:번호|코드|키|비밀번호|암호))",
    weak: "(?:코드)",
    secret: "(?:비밀번호|암호)",
    purpose: "(?:인증|확인|로그인|일회용|임시)",
    spaced: false,
    latin: false,
    why: "번호 and 코드 with what they are for; particles follow without a space",
  },
];

/** Words directly before or after the code word, or in one with it, that make it another kind of code. */
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

/** What comes directly before a code after its code word: "is", a colon and the like. */
export const LINKERS =
  "[:=>→፦៖՝-]|is|are|be|code|ist|lautet|est|es|é|è|sono|är|er|on|to|jest|je|este|esta|són|da|yra|ir|ay|ni|huwa|yw|është|это|то|е|је|нь|είναι|هو|هي|است|ہے|הוא|היא|է|है|छ|আছে|છે|ਹੈ|ஆகும்|ఉంది|[为為是係は]|[은는이가]|คือ|ແມ່ນ|គឺ|là|adalah|ialah|below|following|use|enter";

/** Currencies as they are written before an amount. */
export const CURRENCIES =
  "inr|rs|rp|usd|eur|gbp|chf|aed|sar|kes|ngn|zar|brl|r\\$|rm|pkr|idr|vnd|krw|jpy|cny|rmb|rub";

/** What comes directly before another kind of number. */
export const OTHER_NUMBERS =
  "order|invoice|account|acct|card|article|art[íi]culo|artikel|dossier|vorgang|обращение|单号|單號|受付番号|접수번호|ending|ends|in|no|nr|number|ref|reference|phone|tel|call|sms|since|until|by|at|room|flight|version|ticket|case|issue|pull request|page|line|user|session|rechnung|bestellung|konto|commande|facture|compte|pedido|cuenta|fattura|ordine|заказ\\p{L}*|счет\\p{L}*|账号|帳號|账户|订单|訂單|手机|尾号|口座|注文|계좌|주문";

/** A code without a code word that is to be entered for a purpose: the verb before it, and what for. */
export const ENTERED = {
  before:
    "(?:enter|use|type in|type|input|submit|geben sie|gib|nutze|saisissez|utilisez|entrez|introduce|introduzca|ingresa|usa|utiliza|digite|insira|inserisci|utilizza|voer|gebruik|введите|используйте|wpisz|użyj|zadejte|gir|masukkan|gunakan|nhập|输入|輸入|填写)",
  purpose:
    "(?:verif\\p{L}*|confirm\\p{L}*|log ?in|sign ?in|authenticat\\p{L}*|an(?:zu)?meld\\p{L}*|einzuloggen|bestätig\\p{L}*|vérifi\\p{L}*|connecter|iniciar sesión|acceder|entrar|accedere|bevestig\\p{L}*|inloggen|подтверд\\p{L}*|войти|входа|potwierd\\p{L}*|zalogow\\p{L}*|potvr\\p{L}*|doğrula\\p{L}*|masuk|xác \\p{L}+|đăng nhập|验证|驗證|登录|登入)",
} as const;
