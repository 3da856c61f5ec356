import { describe, expect, test } from "vitest";
import { decodeCharset, decodeLegacy, sniff } from "./charset.ts";
import { guessCharset } from "./guess-charset.ts";

/** Which bytes encode which character in a charset of one or two bytes. */
function encoderOf(charset: string): (text: string) => Uint8Array {
  const bytes = new Map<string, number[]>();
  const decoder = new TextDecoder(charset);
  const note = (...code: number[]) => {
    const text = decoder.decode(Uint8Array.from(code));
    if ([...text].length === 1 && text !== "\ufffd" && !bytes.has(text)) bytes.set(text, code);
  };
  for (let byte = 0; byte < 256; byte += 1) note(byte);
  for (let lead = 0x81; lead < 0xff; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1) note(lead, trail);
  return (text) => Uint8Array.from([...text].flatMap((char) => bytes.get(char) ?? []));
}

const WRITTEN: [charset: string, text: string][] = [
  ["windows-1252", "Schöne Grüße aus Köln: das Café ist geöffnet – 5 €"],
  ["windows-1252", "déjà vu à la carte"],
  ["windows-1252", "På tirsdag går vi på stranden"],
  ["windows-1250", "Proszę o potwierdzenie zamówienia, dziękuję, światło i źródło"],
  ["iso-8859-2", "Dziękuję, światło ważniejsze niż źródło"],
  ["windows-1254", "Değişiklik için teşekkürler, görüşmek üzere; sığınağın ışığı"],
  ["windows-1251", "Подтвердите, пожалуйста, ваш заказ"],
  ["koi8-r", "Подтвердите, пожалуйста, ваш заказ"],
  ["iso-8859-5", "Подтвердите, пожалуйста, ваш заказ"],
  ["ibm866", "Подтвердите, пожалуйста, ваш заказ"],
  ["windows-1251", "Дякуємо за ваше замовлення, її вже надіслано"],
  ["windows-1253", "Ευχαριστούμε για την παραγγελία σας"],
  ["windows-1255", "תודה על ההזמנה שלך, נתראה מחר"],
  ["windows-1256", "شكرا على طلبكم من المتجر"],
  ["gbk", "您的订单已经发货，请注意查收"],
  ["gbk", "关于明天会议的通知"],
  ["big5", "您的訂單已經出貨，請注意查收"],
  ["euc-kr", "안녕하세요, 주문하신 상품이 발송되었습니다"],
  ["euc-jp", "ご注文ありがとうございます"],
  ["shift_jis", "ご注文の商品を発送しました"],
];

describe("text without a charset", () => {
  test.each(WRITTEN)("in %s is read: %s", (charset, text) => {
    expect(sniff(encoderOf(charset)(text))).toBe(text);
  });
  test.each(["è", "à là", "naïve", "Zoë"])("too short to judge is Western European: %s", (text) => {
    expect(guessCharset(encoderOf("windows-1252")(text))).toBe("windows-1252");
  });
  test("in UTF-8 or UTF-16 with a BOM is read", () => {
    expect(sniff(Buffer.from("Привет"))).toBe("Привет");
    expect(sniff(Buffer.from("\ufeffПривет", "utf16le"))).toBe("Привет");
    expect(sniff(Buffer.from("\ufeffПривет", "utf16le").swap16())).toBe("Привет");
  });
  test("in 7 bits with escape sequences is read; a lone escape is text", () => {
    expect(sniff(Buffer.from("\x1b$BF|K\\\x1b(B!", "latin1"))).toBe("日本!");
    expect(sniff(Buffer.from("\x1b$)C\x0e>H3g\x0f", "latin1"))).toBe("안녕");
    expect(sniff(Buffer.from("cost\x1b$5"))).toBe("cost\x1b$5");
  });
  test("is judged by its start, even if that ends within a character", () => {
    expect(guessCharset(encoderOf("gbk")(`a${"您的订单已经发货".repeat(1_000)}`))).toBe("gb18030");
  });
});

describe("a label", () => {
  const latin = (text: string) => Buffer.from(text, "latin1");
  test.each([
    ["cp-1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"],
    ["x-sjis", "\x93\xfa\x96\x7b", "日本"],
    ["cp936", "\xc4\xe3\xba\xc3", "你好"],
    ["ks_c_5601-1987", "\xbe\xc8\xb3\xe7", "안녕"],
    ["x-mac-cyrillic", "\x8f\xf0\xe8\xe2\xe5\xf2", "Привет"],
    ["TIS-620", "\xca\xc7\xd1\xca", "สวัส"],
    ["IBM437", "\x9b5", "¢5"],
    ["cp852", "\x88\xa5", "łą"],
    ["hz-gb-2312", "~{Dc:C~}", "你好"],
    ["iso-2022-cn", "\x1b$)A\x0eDc:C\x0f.", "你好."],
    [' "utf-8" ', "\xc3\xbc", "ü"],
    ["utf-8", "\xcf\xf0\xe8\xe2\xe5\xf2 \xcf\xf0\xe8\xe2\xe5\xf2", "Привет Привет"],
    ["iso-8859-1", "\xc3\xbc", "ü"],
    ["iso-8859-1", "\xfc", "ü"],
    ["made-up", "\xfc", "ü"],
  ])("%s is understood", (label, bytes, text) => {
    expect(decodeCharset(latin(bytes), label)).toBe(text);
  });
  test("of the neighbouring text applies to raw bytes, unless they are invalid in it", () => {
    const cyrillic = latin("\xcf\xf0\xe8\xe2\xe5\xf2");
    expect(decodeLegacy(cyrillic, "windows-1251")).toBe("Привет");
    expect(decodeLegacy(latin("\xfc"), "iso-8859-7")).toBe("ό");
    for (const label of ["utf-8", "utf-16", "us-ascii", "euc-jp", undefined])
      expect(decodeLegacy(latin("\xcf\xf0\xe8\xe2\xe5\xf2 "), label)).toBe("Привет ");
  });
});
