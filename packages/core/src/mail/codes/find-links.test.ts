import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { findLinks } from "./find-links.ts";

const TOKEN = "9f3ab27c41d84e0f8c";
const anchor = (href: string, text: string) => `<p>Hello</p><a href="${href}">${text}</a>`;
const inHtml = (href: string, text: string, subject = "") =>
  findLinks({ subject, text: "", html: anchor(href, text) })[0];

describe("a one-time link is found", () => {
  test.each([
    ["Verify your email", `https://app.example/verify?token=${TOKEN}`],
    ["E-Mail-Adresse bestätigen", `https://app.example/c/${TOKEN}`],
    ["Confirmer mon adresse", `https://app.example/c/${TOKEN}`],
    ["Confirmar correo", `https://app.example/c/${TOKEN}`],
    ["Conferma l'indirizzo", `https://app.example/c/${TOKEN}`],
    ["Bevestig je e-mailadres", `https://app.example/c/${TOKEN}`],
    ["Potwierdź adres", `https://app.example/c/${TOKEN}`],
    ["Подтвердить адрес", `https://app.example/c/${TOKEN}`],
    ["Hesabını doğrula", `https://app.example/c/${TOKEN}`],
    ["تأكيد البريد", `https://app.example/c/${TOKEN}`],
    ["验证邮箱", `https://app.example/c/${TOKEN}`],
    ["メールアドレスを確認する", `https://app.example/c/${TOKEN}`],
    ["이메일 인증", `https://app.example/c/${TOKEN}`],
    ["Log in", `https://app.example/magic/${TOKEN}`],
  ])("%s", (text, href) => {
    expect(inHtml(href, text)).toMatchObject({ link: href, link_host: "app.example" });
  });

  test("whole where it is broken over lines between brackets; never one that is cut", () => {
    const start = `https://app.example/auth/verify?token=${TOKEN.repeat(3)}`;
    const find = (text: string) =>
      findLinks({ subject: "Sign in", text, html: null }).map(({ link }) => link);
    expect(find(`Sign in here:\n<${start}\n71209&type=signup>\n`)).toEqual([`${start}71209&type=signup`]);
    expect(find(`Sign in here:\n${start}\n71209&type=signup\n`)).toEqual([]);
  });

  test.each([
    [
      "English",
      "Complete your registration",
      "Reset password",
      "Sign in",
      "Get your magic link",
      "Accept invitation",
    ],
    ["German", "Konto aktivieren", "Passwort zurücksetzen", "Jetzt anmelden", "Registrierung abschließen"],
    [
      "French",
      "Activer mon compte",
      "Réinitialiser le mot de passe",
      "Se connecter",
      "Finaliser mon inscription",
    ],
    ["Spanish", "Activar cuenta", "Restablecer contraseña", "Iniciar sesión", "Completar registro"],
    ["Portuguese", "Ativar conta", "Redefinir senha", "Entrar", "Verificar conta"],
    ["Italian", "Attiva account", "Reimposta password", "Accedi", "Verifica email"],
    ["Dutch", "Account activeren", "Wachtwoord opnieuw instellen", "Inloggen", "E-mail verifiëren"],
    ["Polish", "Aktywuj konto", "Zresetuj hasło", "Zaloguj się", "Zweryfikuj e-mail"],
    ["Russian", "Активировать аккаунт", "Сбросить пароль", "Войти", "Завершить регистрацию"],
    ["Ukrainian", "Підтвердити", "Увійти"],
    ["Swedish", "Bekräfta e-post", "Återställ lösenordet", "Logga in"],
    ["Danish", "Bekræft", "Nulstil adgangskode", "Log ind"],
    ["Norwegian", "Bekreft", "Tilbakestill passordet", "Logg inn"],
    ["Finnish", "Vahvista", "Kirjaudu sisään"],
    ["Czech", "Ověřit e-mail", "Obnovit heslo", "Přihlásit se"],
    ["Hungarian", "Megerősítés", "Jelszó visszaállítása", "Bejelentkezés"],
    ["Romanian", "Verifică", "Resetează parola", "Autentificare"],
    ["Greek", "Επιβεβαίωση", "Επαναφορά κωδικού", "Σύνδεση"],
    ["Turkish", "Onayla", "Şifreni sıfırla", "Giriş yap"],
    ["Arabic", "تفعيل الحساب", "إعادة تعيين كلمة المرور", "تسجيل الدخول"],
    ["Hebrew", "אימות", "איפוס סיסמה", "התחבר"],
    ["Persian", "تایید", "بازنشانی رمز", "ورود"],
    ["Hindi", "सत्यापित करें", "पासवर्ड रीसेट"],
    ["Chinese", "激活账号", "重置密码", "登录", "重設密碼"],
    ["Japanese", "認証", "パスワードを再設定", "ログイン"],
    ["Korean", "인증하기", "비밀번호 재설정", "로그인"],
  ])("in %s", (_, ...texts) => {
    const href = `https://app.example/login/callback?token=${TOKEN}`;
    for (const text of texts) expect([text, inHtml(href, text)?.link]).toEqual([text, href]);
  });

  test("by a plain word when the subject says what it is for", () => {
    const href = `https://app.example/x/${TOKEN}`;
    expect(inHtml(href, "Sign in")).toBeUndefined();
    expect(inHtml(href, "Sign in", "Your sign-in link")).toMatchObject({ link: href });
  });

  test("in plain text, by the words before it", () => {
    const text = `Hi,\n\nclick below to confirm your address:\nhttps://app.example/c?code=482913\n\nTo unsubscribe: https://app.example/u/${TOKEN}`;
    expect(findLinks({ subject: "", text, html: null }).map(({ link }) => link)).toEqual([
      "https://app.example/c?code=482913",
    ]);
  });

  test("with its real target host", () => {
    expect(
      inHtml(`https://bank.example@evil.example/verify/${TOKEN}`, "Verify: bank.example")?.link_host,
    ).toBe("evil.example");
    expect(inHtml(`https://bänk.example/verify/${TOKEN}`, "Verify")?.link_host).toBe("xn--bnk-qla.example");
  });
});

describe("no one-time link is found", () => {
  test.each([
    ["Unsubscribe", `https://app.example/verify/${TOKEN}`],
    ["Wasn't you? Secure your account", `https://app.example/confirm/${TOKEN}`],
    ["Verify your email", "https://app.example/verify"],
    ["Verify your email", "https://app.example/how-to-verify-your-email-2024"],
    ["Read more", `https://news.example/${TOKEN}`],
    ["Track your order", `https://shop.example/login/${TOKEN}`],
    ["Download invoice", `https://shop.example/login/${TOKEN}`],
    ["View in browser", `https://app.example/confirm/${TOKEN}`],
    ["Confirm unsubscribe", `https://app.example/confirm/${TOKEN}`],
    ["I didn't request this", `https://app.example/confirm/${TOKEN}`],
    ["Verify your email", `mailto:verify-${TOKEN}@app.example`],
    ["Verify your email", `javascript:verify('${TOKEN}')`],
    ["Verify your email", `https://app.example/verify/${TOKEN}${"a".repeat(3000)}`],
  ])("%s: %s", (text, href) => {
    expect(inHtml(href, text)).toBeUndefined();
  });

  test("in hostile HTML, quickly", async () => {
    const href = `https://app.example/${"a1-".repeat(600)}`;
    const html = `<a href="${href}">${"verify ".repeat(50)}</a>`.repeat(2_000);
    let found: unknown[] = [];
    const spent = await measureThreadCpu(() => {
      found = findLinks({
        subject: "verify ".repeat(10_000),
        text: "https://a.example/1 ".repeat(20_000),
        html,
      });
    });
    expect(found.length).toBeLessThan(11);
    expect(spent).toBeLessThan(3_000);
  });
});
