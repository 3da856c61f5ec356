import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { findCodes } from "./find-codes.ts";
import { MAX_CODE_CHARS } from "./plain-lines.ts";

const best = (text: string, subject = "") => findCodes({ subject, text })[0]?.code ?? null;

describe("a code is found", () => {
  test.each([
    ["English", "Your verification code is 482913. It expires in 10 minutes.", "482913"],
    ["English, before", "739201 is your Northwind security code", "739201"],
    ["English, use", "Use 4821 as your login code. Don't share it.", "4821"],
    ["English, below", "Enter this code to sign in:\n\n  510 284\n\nIt is good until 17:30.", "510284"],
    [
      "English, far below",
      "Here is your one-time passcode.\nWe will never ask for it.\nIt works once.\n\n90316427\n",
      "90316427",
    ],
    ["English, letters", "Confirmation code: X7K-Q2M", "X7K-Q2M"],
    ["English, bold", "Your access code: **R4T9ZK**", "R4T9ZK"],
    ["English, dashes", "Security code: 123-456", "123456"],
    ["English, letters of both cases", "Your login code:\n\naB3xK9", "aB3xK9"],
    ["English, letters and digits one by one", "Your login code\n\nk 7 r m q 2\n", "k7rmq2"],
    ["English, one digit each", "Your verification code\n\n4 8 2 9 1 3", "482913"],
    ["German", "Ihr Bestätigungscode lautet 305817.", "305817"],
    ["German, TAN", "Ihre TAN für die Überweisung über 1.250,00 EUR: 660142", "660142"],
    ["French", "Votre code de vérification est : 771 203", "771203"],
    ["Spanish", "Tu código de seguridad es 609114", "609114"],
    ["Portuguese", "Seu código de verificação: 240981", "240981"],
    ["Italian", "Il tuo codice di verifica è 118305", "118305"],
    ["Dutch", "Je verificatiecode is 553018", "553018"],
    ["Swedish", "Din verifieringskod är 904417", "904417"],
    ["Danish", "Din bekræftelseskode er 220931", "220931"],
    ["Finnish", "Vahvistuskoodisi on 417702", "417702"],
    ["Hungarian", "Az ellenőrző kód: 881540", "881540"],
    ["Polish", "Twój kod weryfikacyjny to 730265", "730265"],
    ["Czech", "Váš ověřovací kód je 194620", "194620"],
    ["Romanian", "Codul tău de verificare este 665203", "665203"],
    ["Russian", "Ваш код подтверждения: 508831", "508831"],
    ["Ukrainian", "Ваш код підтвердження: 377120", "377120"],
    ["Turkish", "Doğrulama kodunuz: 246810", "246810"],
    ["Greek", "Ο κωδικός επαλήθευσης είναι 913370", "913370"],
    ["Arabic", "رمز التحقق الخاص بك هو ٤٨٢٩١٣", "482913"],
    ["Persian", "کد تایید شما: ۷۷۱۲۰۳", "771203"],
    ["Hebrew", "קוד האימות שלך הוא 662019", "662019"],
    ["Hebrew, one-time password", "סיסמה זמנית: 662019", "662019"],
    ["Japanese, password", "パスワード：662019", "662019"],
    ["Latvian", "Jūsu apstiprinājuma kods: 662019", "662019"],
    ["Lithuanian", "Patvirtinimo kodas: 662019", "662019"],
    ["Slovenian", "Vaša potrditvena koda je 662019", "662019"],
    ["Albanian", "Kodi i verifikimit: 662019", "662019"],
    ["Uzbek", "Tasdiqlash kodi: 662019", "662019"],
    ["Georgian", "ერთჯერადი კოდი: 662019", "662019"],
    ["Armenian", "Հաստատման կոդը՝ 662019", "662019"],
    ["Kazakh", "Растау коды: 662019", "662019"],
    ["Urdu", "آپ کا تصدیقی کوڈ: 662019", "662019"],
    ["Telugu", "మీ ఓటీపీ: 662019", "662019"],
    ["Malayalam", "സ്ഥിരീകരണ കോഡ്: 662019", "662019"],
    ["Bulgarian, password", "Вашата парола: 662019", "662019"],
    ["Hindi", "आपका सत्यापन कोड ५०८८३१ है", "508831"],
    ["Chinese", "【某某网】验证码356407，5分钟内有效。", "356407"],
    ["Traditional Chinese", "您的驗證碼為 884120，請勿告知他人", "884120"],
    ["Japanese", "認証コード：５５３０１８（有効期限１０分）", "553018"],
    ["Korean", "인증번호는 [390127]입니다.", "390127"],
    ["Thai", "รหัสยืนยันของคุณคือ 204816", "204816"],
    ["Vietnamese", "Mã xác minh của bạn là 671905", "671905"],
    ["Indonesian", "Kode verifikasi Anda: 135790", "135790"],
    ["not the order's number", "Your verification code for order 445566 is 123456", "123456"],
    [
      "not the card's number",
      "482913 is the OTP for a payment of 2500.00 EUR with the card ending 4455",
      "482913",
    ],
    ["without a code word", "Use 482913 to verify your Northwind account", "482913"],
    ["without a code word, German", "Geben Sie 482913 ein, um sich anzumelden", "482913"],
    ["in a frame", "Use this code to log in:\n\n┌────────┐\n│ 482913 │\n└────────┘", "482913"],
    ["behind the service's letters", "G-482913 is your Northwind verification code.", "G-482913"],
    ["behind them and a name, Russian", "Код Northwind: G-482913", "G-482913"],
    ["behind them and a name, Spanish", "Código Northwind: G-482913", "G-482913"],
    ["in two groups", "Your single-use code is: 3391 0284", "33910284"],
    ["in pairs", "Dein Einmalcode: 48 29 13", "482913"],
    ["in groups of letters and digits", "Your verification code:\nZ9X4-K2LM", "Z9X4-K2LM"],
    ["in groups of letters", "Login code:\n\nABCD-EFGH", "ABCD-EFGH"],
    [
      "in words",
      "Copy and paste this temporary login code:\nlunar-mango-river-stone",
      "lunar-mango-river-stone",
    ],
    ["with a digit a line", "Verification code\n\n4\n8\n2\n9\n1\n3\n", "482913"],
    ["that begins with nought", "Your code: 0482 (valid for 5 min)", "0482"],
    ["that looks like a year", "Security code: 2026", "2026"],
    ["as a password", "Your temporary password is Kx9pQ2Lm", "Kx9pQ2Lm"],
    ["beside an order", "Your OTP is:\n\n 482913 \n\nDon't share it. Order 112-4829130-1234567", "482913"],
    ["German, plain", "Dein Code zum Einloggen ist 482913", "482913"],
    ["German, below", "Gib den folgenden Code ein:\n\n482913", "482913"],
    ["French, enter", "Saisissez le code 482 913 pour vous connecter.", "482913"],
    ["Spanish, below", "Ingresa este código para continuar:\n482913", "482913"],
    ["Portuguese, use", "Use o código 482913 para entrar", "482913"],
    ["Italian, enter", "Inserisci il codice 482913 per accedere", "482913"],
    ["Dutch, enter", "Vul deze code in: 482913", "482913"],
    ["Polish, plain", "Twój kod to: 482 913", "482913"],
    ["Russian, secret", "Никому не говорите код 482913", "482913"],
    ["Norwegian", "Engangskoden din er 482913", "482913"],
    ["Turkish, once", "Tek kullanımlık şifreniz: 482913", "482913"],
    ["Hebrew, plain", "הקוד שלך: 482913", "482913"],
    ["Chinese, below", "驗證碼\n482913", "482913"],
    ["Japanese, once", "ワンタイムパスワード：482913", "482913"],
    ["Korean, below", "아래 코드를 입력하세요.\n\n482913", "482913"],
    ["in brackets", "尊敬的用户：您的动态码为 [667788]，5分钟内有效", "667788"],
  ])("%s: %s", (_kind, text, code) => {
    expect(best(text)).toBe(code);
  });

  test("by the subject alone, or in it", () => {
    expect(best("Hello Ada,\n\n582 913\n\nThe team", "Your sign-in code")).toBe("582913");
    expect(best("Hello Ada", "739201 is your code")).toBe("739201");
  });

  test.each([
    ["482913 is your verification code", "482913"],
    ["Your code is 482-913", "482913"],
    ["[Northwind] Verification code: 482913", "482913"],
    ["482913 – your Northwind confirmation code", "482913"],
    ["Your Northwind confirmation code: ABC-123", "ABC-123"],
    ["Ihr Bestätigungscode: 482 913", "482913"],
    ["验证码：482913", "482913"],
    ["Код подтверждения 482913", "482913"],
  ])("in the subject: %s", (subject, code) => {
    expect(best("Hello Ada,\nplease see above.\nNorthwind, 1 High Street, 10115 Berlin", subject)).toBe(code);
  });

  test("next to other numbers", () => {
    const text = [
      "Order #448812 of 2026-03-04, total $1200, placed by account W8406772.",
      "Call 020 7946 0018 or write to box 55000@mail.example.",
      "To finish, enter the verification code 907314 at https://shop.example/check/118822?code=554433 within 30 minutes.",
    ].join("\n");
    expect(findCodes({ subject: "Order 448812", text }).map(({ code }) => code)).toEqual(["907314"]);
  });

  test("with invisible characters between its digits", () => {
    expect(best("Your verification code is 48\u200b29\u00ad13")).toBe("482913");
  });

  test("with the one closest to the word first", () => {
    const [first, second] = findCodes({ subject: "", text: "Login code: 112233 or 445566" });
    expect([first?.code, second?.code]).toEqual(["112233", "445566"]);
    expect(first?.score).toBeGreaterThan(second?.score ?? 1);
  });
});

describe("the masked number of an account is no code", () => {
  test.each([
    ["Your OTP for ****** (XX4817) is 662019 for 5 minutes.", ["662019"]],
    ["662019 is the code to sign in to a/c XXX4817.", ["662019"]],
    ["OTP for xx4817 is 662019", ["662019"]],
    ["Code 662019 for card x4817", ["662019"]],
    ["OTP for XXXX-4817: 662019", ["662019"]],
    ["OTP for XX 4817: 662019", ["662019"]],
    ["OTP for 98XXXX17 is 662019", ["662019"]],
    ["OTP for account 4817XXXX:\n\n662019", ["662019"]],
    ["Your verification code for XXX4817 is X7K2M9", ["X7K2M9"]],
    ["Your code was sent for XX4817", []],
  ])("%s", (text, codes) => {
    expect(findCodes({ subject: "Your OTP for XX4817", text }).map(({ code }) => code)).toEqual(codes);
  });
});

describe("no code is found", () => {
  test.each([
    "Use promo code SAVE2026 at checkout and get 20 % off.",
    "Mit dem Gutscheincode WINTER24 sparen Sie 10 EUR.",
    "Le code promo à saisir au moment du paiement est 482913.",
    "Your login code was sent to your phone.\n\nGroups: a 1 b 2 c 3",
    "Usa el código VERANO25 y obtén un descuento.",
    "使用优惠码 888888 立减 20 元",
    "The zip code is 94107.",
    "Error code 500123 was returned by the server.",
    "Your tracking code: 88120034",
    "See the QR code below, 123456 people did.",
    "The code review of 2026 took 1500 minutes.",
    "Booking code 445566, gate 12",
    "Your reservation confirmation code: AB12CD",
    "Please confirm order 445566",
    "Call 5550100 to confirm your appointment",
    "验证码已发送至尾号1234的手机",
    "Security alert: a sign-in at 1045 from device 445566",
    "Invoice 448812, due 20260401, amount 1200.00 EUR",
    "Meet me at 1030 tomorrow; bring 2000 leaflets.",
    "Your verification code was sent by SMS. Call +44 20 7946 0018 if it did not arrive.",
    "Your card ending in ••7681 was charged $600.00.",
    "We changed the code of conduct in 2025.",
    "Your order 482913 has shipped. Tracking number 1Z999AA10123456784",
    "Receipt #482913: total $48.29",
    "Tel. +49 30 482913",
    "Your PIN was changed on 2026-03-04.",
    "Your code expires in 2026.",
    "Kundennummer 482913, Rechnungsnummer 20260304",
    "Il tuo ordine n. 482913",
    "Votre commande 482913 est en route, code postal 75001",
    "Ваш заказ 482913 отправлен, почтовый индекс 101000",
    "您的订单482913已发货",
    "ご注文番号：482913",
    "주문번호 482913",
    "Order code: 482913",
    "Product code AB-1234, model code 4829, color code 4829",
    "Gift card code: ABCD-1234",
    "Referral code ADA2026, invite code: ADA123",
    "Промокод SALE2026, クーポンコード：ABC123",
    "Your booking code is X7KQ2M. Check-in code: X7KQ2M",
    "Collection code 4829, locker code 1203",
    "Your flight AB1234, booking reference X7KQ2M",
    "Meeting ID: 482 913 0284 Passcode: 482913",
    "Besprechungs-ID: 482 913 0284\nPasscode: Kx9pQ2",
    "License key: ABCD-EFGH-1234-5678",
    "Your account number is 48291300, sort code 20-00-00, swift code ABCDDEFF",
    "Your verification is complete. Reference 482913.",
    "We sent a code to the phone ending in 4829",
    "The code is on the forge: issue 4829",
    "Python code: x = 482913",
    "HTTP status code 4040, exit code 1370",
    "Version 20260304 of the security code review",
    "Access code: READ-ONLY mode of the code-base-review-board",
    "",
  ])("%j", (text) => {
    expect(findCodes({ subject: "", text })).toEqual([]);
  });
});

/** Quadratic work takes minutes on so many characters. */
const SIZE = 200_000;
const ROUNDS = 2;

describe("hostile text", () => {
  test.each([
    "code 123456 ",
    "code\n123456\n",
    "1 ",
    "1-",
    "*_'",
    "verification ",
    "код для ",
    "código de ",
    "\n1234",
    "a\u0301",
    "A 1 ",
    "A1-",
    'code "ABCD" ',
    "code: WDJPLQ\n",
    "code to verify ",
    "verify 1234 code ",
    "\n4\n-",
    "@a.b #1234\n",
    "\u0640\u064b",
    "รหัส",
    "9".repeat(7),
  ])("of %j takes linear time", async (piece) => {
    const text = piece.repeat(Math.ceil(SIZE / piece.length));
    expect(await measureThreadCpu(() => findCodes({ subject: text, text }))).toBeLessThan(1_000);
  });

  test("costs no more after garbage was collected, which takes compiled copies of patterns away", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const find = () => findCodes({ subject: "x".repeat(998), text: "код ".repeat(100) });
    const spent: number[] = [];
    // The machine may be busy in a round; a full collection of all that the tests before left takes long.
    for (let round = 0; round < ROUNDS && !spent.some((each) => each < 10); round++) {
      find();
      find();
      for (let collection = 0; collection < 6; collection++) collect();
      spent.push(await measureThreadCpu(find));
    }
    expect(Math.min(...spent)).toBeLessThan(10);
  });

  test("is read up to a limit, and returns a few codes", () => {
    const far = `${"x ".repeat(MAX_CODE_CHARS)}\nYour verification code is 123456`;
    expect(findCodes({ subject: "", text: far })).toEqual([]);
    const many = Array.from({ length: 500 }, (_, index) => `Your code is ${100_000 + index}`).join("\n");
    expect(findCodes({ subject: "", text: many })).toHaveLength(10);
  });
});
