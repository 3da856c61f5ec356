import { linksIn } from "../links/text-links.ts";
import { type MailLink, viewHtml } from "../screening/signals/html-view.ts";
import { bearsRun } from "./link-tokens.ts";

/**
 * Words on a link that signs in or confirms something once. Sources of case-insensitive regular expressions.
 */
const LINK_WORDS = {
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
const LINK_PATH =
  "verif|confirm|activat|magic|sign-?in|log-?in|passwordless|auth|otp|onetime|one-time|reset|oobcode|invit|token|ticket|callback|validate|bestaetig|confirmar|verificar";

/** A one-time link that a mail seems to contain. */
export interface FoundLink {
  link: string;
  /** The host that a browser would contact, in ASCII, whatever the mail displays. */
  link_host: string;
  /** From 0 to 1. */
  score: number;
  reason: string;
}

/** The points for each sign of a one-time link; a link needs `enough` in total. */
const POINTS = { strong: 2, weak: 1, path: 1, token: 1, subject: 1, enough: 3 } as const;

const MAX_CHARS = 50_000;
const MAX_LINKS = 100;
const MAX_LINK_CHARS = 2_000;
const CONTEXT_CHARS = 160;
const MAX_FOUND = 10;

const oneOf = (words: readonly string[]) => new RegExp(`(?<!\\p{Script=Latin})(?:${words.join("|")})`, "iu");
const STRONG = oneOf(LINK_WORDS.strong);
const WEAK = oneOf(LINK_WORDS.weak);
const OTHER = oneOf(LINK_WORDS.other);
const PATH = new RegExp(LINK_PATH, "i");

/**
 * The one-time sign-in and confirmation links of a mail, best first. A link without its own token doesn't
 * count.
 */
export function findLinks({
  html,
  ...mail
}: {
  subject: string;
  text: string;
  html: string | null;
}): FoundLink[] {
  const links = html === null ? [] : viewHtml(html.slice(0, MAX_CHARS * 4)).links;
  return findLinksAmong({ ...mail, links });
}

/** The same in a mail whose HTML was read already. */
export function findLinksAmong(mail: {
  subject: string;
  text: string;
  links: readonly MailLink[];
}): FoundLink[] {
  const subject = mail.subject.slice(0, CONTEXT_CHARS).normalize("NFKC");
  let named: boolean | undefined;
  const found = new Map<string, FoundLink>();
  for (const { href, said } of [...fromHtml(mail.links), ...fromText(mail.text)].slice(0, MAX_LINKS)) {
    const url = webAddress(href);
    if (url === undefined) continue;
    named ??= STRONG.test(subject);
    const { points, reason } = pointsOf(url, said.normalize("NFKC"), named);
    const score = Math.min(1, Math.round((points / 6 + 0.15) * 100) / 100);
    if (points < POINTS.enough || (found.get(url.href)?.score ?? 0) >= score) continue;
    found.set(url.href, { link: url.href, link_host: url.host, score, reason });
  }
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, MAX_FOUND);
}

interface SaidLink {
  href: string;
  /** The link's text, or the text before it when it shows only its URL. */
  said: string;
}

function fromHtml(links: readonly MailLink[]): SaidLink[] {
  return links.slice(0, MAX_LINKS).map(({ href, text }) => ({ href, said: text.slice(0, CONTEXT_CHARS) }));
}

function fromText(text: string): SaidLink[] {
  const read = text.slice(0, MAX_CHARS);
  let from = 0;
  return linksIn(read)
    .slice(0, MAX_LINKS)
    .flatMap(({ href, text: shown, is_cut }) => {
      const at = Math.max(read.indexOf(shown, from), from);
      const before = read.slice(Math.max(from, at - CONTEXT_CHARS), at);
      from = at + shown.length;
      return is_cut === true ? [] : [{ href, said: before }];
    });
}

function webAddress(href: string): URL | undefined {
  if (href.length > MAX_LINK_CHARS || !URL.canParse(href.trim())) return undefined;
  const url = new URL(href.trim());
  return url.protocol === "https:" || url.protocol === "http:" ? url : undefined;
}

/**
 * Whether the URL contains something that nobody would choose as a name: mixed letters and digits, or a
 * number in the query.
 */
const bearsToken = (url: URL): boolean => isToken(url) || NUMBER_IN_QUERY.test(url.search);

const NUMBER_IN_QUERY = /=(\d{6,})/;
const isToken = ({ pathname, search, hash }: URL): boolean => bearsRun(`${pathname}${search}${hash}`);

function pointsOf(url: URL, said: string, named: boolean): { points: number; reason: string } {
  const rest = `${url.pathname}${url.search}${url.hash}`;
  if (!bearsToken(url) || OTHER.test(said)) return { points: 0, reason: "" };
  const strong = STRONG.test(said);
  const weak = !strong && WEAK.test(said);
  const path = PATH.test(rest);
  const points =
    POINTS.token +
    (strong ? POINTS.strong : 0) +
    (weak ? POINTS.weak : 0) +
    (path ? POINTS.path : 0) +
    (named ? POINTS.subject : 0);
  const reasons = [
    strong || weak ? "its words ask to sign in or confirm" : "",
    path ? "its path says so" : "",
    named ? "the subject says so" : "",
  ];
  return {
    points,
    reason: ["it bears a token of its own", ...reasons.filter((reason) => reason !== "")].join("; "),
  };
}
