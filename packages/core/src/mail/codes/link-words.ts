/**
 * Words on a link that signs in or confirms something once. Sources of case-insensitive regular expressions.
 */
export const LINK_WORDS = {
  /** Words that suffice on their own. */
  strong: [
    "verif(?:y|ied|ication|ieren|izier\\p{L}*|icar|icación|ica|icare)",
    "confirm(?:er|ar|ation|ación|ação|ati|a|á)?",
    "activat(?:e|ion)|aktivier\\p{L}*|activ(?:er|ar)|ativar|attiva(?:re)?|activeren|aktywuj|активир\\p{L}*|激活|啟用|有効化|활성화",
    "magic link|one[- ]time link|sign[- ]?in link|log[- ]?in link|anmeldelink|login-link|lien de connexion|enlace de (?:acceso|inicio)",
    "reset (?:your |my )?password|password reset|passwort zurücksetzen|réinitialiser|restablecer|redefinir|reimposta\\p{L}*|重置密码|重設密碼|パスワードを?(?:再設定|リセット)|비밀번호 재설정|сброс\\p{L}*",
    "best[äa]tig\\p{L}*|vérifi\\p{L}*|conferma\\p{L}*|bevestig\\p{L}*|verifi[eë]r\\p{L}*|bekräfta|bekreft|bekræft|vahvista|megerősít\\p{L}*|potwierd\\p{L}*|potvrd\\p{L}*|potvrzen\\p{L}*|confirmă|doğrula\\p{L}*|onayla\\p{L}*",
    "подтверд\\p{L}*|підтверд\\p{L}*|потвърд\\p{L}*|επιβεβαίωσ\\p{L}*|επαλήθευσ\\p{L}*|تأكيد|تحقق|تفعيل|تایید|אימות|אישור|אשר|सत्यापित|पुष्टि|验证|驗證|确认|確認|認証|認證|인증|확인|ยืนยัน|xác (?:nhận|minh|thực)|verifikasi|konfirmasi|sahkan",
    "accept (?:the |your )?invit\\p{L}*",
    "zweryfikuj|ov[ěe][řr](?:it|te)|verific[ăa]",
    "complete (?:your |the )?(?:registration|sign-?up)|registrierung abschließen|finaliser (?:mon |votre )?inscription|completar (?:el |tu |o )?(?:registro|cadastro)|completa(?:re)? (?:la )?registrazione|registratie voltooien|dokończ rejestrację|завершить регистрацию|完成注册|完成註冊|登録を完了|가입 완료",
    "wachtwoord (?:opnieuw instellen|resetten)|zresetuj hasło|obnovit heslo|återställ lösenord\\p{L}*|nulstil adgangskode|tilbakestill passord\\p{L}*|jelszó visszaállítása|resetează parola|şifre\\p{L}* sıfırla|επαναφορά κωδικού|إعادة تعيين كلمة المرور|איפוס סיסמה|بازنشانی رمز|पासवर्ड रीसेट",
  ],
  /** Words that other links use too. */
  weak: [
    "sign[- ]?in|log[- ]?in|continue|get started|click (?:here|below|the)|open|join",
    "anmelden|einloggen|se connecter|connexion|iniciar sesión|acceder|entrar|accedi|inloggen|logga in|bejelentkez\\p{L}*|autentificare|התחבר|logg inn|log ind|kirjaudu|zaloguj|přihlásit|войти|увійти|giriş yap|σύνδεση|تسجيل الدخول|ورود|כניסה|登录|登入|ログイン|로그인|เข้าสู่ระบบ|đăng nhập|masuk",
  ],
  /** Words of links that do something else. */
  other: [
    "unsubscri\\p{L}*|opt[- ]?out|preferences|settings|manage|abmelden von|abbestellen|désabonner|désinscri\\p{L}*|darse de baja|cancelar suscripción|descadastrar|disiscri\\p{L}*|afmelden|отписаться|退订|退訂|配信停止|수신거부",
    "privacy|terms|impressum|imprint|help|support|contact|faq|about us|view in browser|im browser|datenschutz|hilfe|aide|ayuda|ajuda|aiuto",
    "not you|wasn['’]?t (?:me|you)|did ?n['’]?t request|deny|report|secure your account|cancel|ablehnen|refuser|rechazar",
  ],
} as const;

/** Words in the path or query of a link that signs in or confirms. */
export const LINK_PATH =
  "verif|confirm|activat|magic|sign-?in|log-?in|passwordless|auth|otp|onetime|one-time|reset|oobcode|invit|token|ticket|callback|validate|bestaetig|confirmar|verificar";
