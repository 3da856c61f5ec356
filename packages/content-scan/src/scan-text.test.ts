import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../test/support/processor-time.ts";
import { luhn } from "./personal/payment-cards.ts";
import { scanText } from "./scan-text.ts";

const kindsIn = async (text: string) => (await scanText(text)).map(({ kind }) => kind);

describe("secrets", () => {
  const token = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

  test.each([
    ["github_token", `The token is ${token}.`],
    ["stripe_secret_key_live", ["sk_live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_")],
    ["basic_auth", "https://bob:s3cretpw@db.example.com/"],
    ["postgre_sql_connection", "postgres://bob:s3cretpass@db.example.com/shop"],
    ["aws_secret_access_key", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY"],
  ])("%s is found", async (kind, text) => {
    expect(await kindsIn(text)).toEqual([kind]);
  });

  test.each(["secretlint-disable\n", "<!-- secretlint-disable -->\n", "// secretlint-disable-next-line\n"])(
    "no word of a mail switches the search off: %j",
    async (words) => {
      expect(await kindsIn(words + token)).toEqual(["github_token"]);
    },
  );

  const pem = (type: "rsa" | "ec" | "ed25519"): string => {
    const { privateKey } =
      type === "rsa"
        ? generateKeyPairSync("rsa", { modulusLength: 2048 })
        : type === "ec"
          ? generateKeyPairSync("ec", { namedCurve: "P-256" })
          : generateKeyPairSync("ed25519");
    return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  };

  test.each([
    ["RSA", pem("rsa")],
    ["EC", pem("ec")],
    ["Ed25519, which is short", pem("ed25519")],
    ["with other line breaks", pem("rsa").replaceAll("\n", "\r\n")],
    ["quoted", `> ${pem("rsa").replaceAll("\n", "\n> ")}`],
    ["cut off", pem("rsa").slice(0, 500)],
    ["on one line", pem("ec").replaceAll("\n", " ")],
  ])("a private key is found: %s", async (_, key) => {
    expect(await kindsIn(`Here:\n${key}\nBye`)).toEqual(["private_key"]);
  });

  test("a public key, a certificate's frame and talk of private keys are none", async () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const text = publicKey.export({ type: "spki", format: "pem" }).toString();
    expect(await kindsIn(`${text}\nNever send what begins with -----BEGIN PRIVATE KEY-----.`)).toEqual([]);
  });
});

describe("payment cards", () => {
  test.each([
    "My card is 4111 1111 1111 1111, exp. 12/27",
    "Kreditkarte 5555-5555-5555-4444",
    "tarjeta: 378282246310005",
    "numéro de carte 6011000990139424 merci",
    "クレジットカード4111111111111111です",
    "카드번호 3530111333300000",
    "карта 2223003122003222",
    "4111 1111 1111 1111 is my Visa",
    "card 4111 1111 1111 1111 123",
    "كارت بطاقة ٤١١١١١١١١١١١١١١١",
  ])("are found near a word that names them: %s", async (text) => {
    expect(await kindsIn(text)).toEqual(["payment_card"]);
  });

  test.each([
    ["without a word", "Reference 4111 1111 1111 1111"],
    ["with a word far away", `card ${"and so on ".repeat(6)}4111111111111111`],
    ["with a wrong check digit", "card 4111111111111112"],
    ["of no brand", "card 9111111111111117"],
    ["within something longer", "card 994111111111111111, card x4111111111111111"],
    ["of zeros", "card 0000000000000000"],
  ])("are not found %s", async (_, text) => {
    expect(await kindsIn(text)).toEqual([]);
  });

  test("stand where the findings say", async () => {
    const text = "Order 12 4111 1111 1111 1111 by card";
    const [found] = await scanText(text);
    expect(text.slice(found?.start, found?.end)).toBe("4111 1111 1111 1111");
    expect(found?.value).toBe("4111111111111111");
  });
});

describe("IBANs", () => {
  test.each([
    "DE89 3704 0044 0532 0130 00",
    "DE89370400440532013000",
    "GB82 WEST 1234 5698 7654 32 is ours",
    "Pay to FR14 2004 1010 0505 0001 3M02 606.",
    "NO9386011117947, SWIFT DNBANOKK",
    "MT84MALT011000012345MTLCAST001S",
    "DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX",
    "iban: de89 3704 0044 0532 0130 00",
  ])("are found by their check digits: %s", async (text) => {
    expect(await kindsIn(text)).toEqual(["iban"]);
  });

  test.each([
    "DE88 3704 0044 0532 0130 00",
    "XX89 3704 0044 0532 0130 00",
    "DE89 3704 0044 0532 0130",
    "ABDE89370400440532013000",
    "DE893704004405320130001",
    "de89370400440532013000",
    "/DE89370400440532013000/x",
  ])("no others are: %s", async (text) => {
    expect(await kindsIn(text)).toEqual([]);
  });
});

describe("numbers that identify people", () => {
  test.each([
    ["us_ssn", "SSN 536-90-4399"],
    ["us_ssn", "Her Social Security number is 536904399."],
    ["ca_sin", "SIN: 046 454 286"],
    ["de_idnr", "Steuer-ID: 36 574 261 809"],
    ["es_dni", "DNI 54362315K"],
    ["fr_nir", "Numéro de sécurité sociale : 2 95 10 99 126 111 93"],
    ["it_codice_fiscale", "Codice fiscale RCCMNL83S18D969H"],
    ["nl_bsn", "BSN 111222333"],
    ["pl_pesel", "PESEL: 44051401359"],
    ["br_cpf", "CPF 390.533.447-05"],
    ["se_personnummer", "Personnummer 811228-9874"],
    ["ch_ahv", "AHV-Nummer 756.9217.0769.85"],
    ["tr_kimlik", "T.C. Kimlik No 17291716060"],
    ["cn_id", "身份证：11010519491231002X"],
    ["in_aadhaar", "Aadhaar 2341 2341 2346"],
    ["za_id", "ID number 7503305044089"],
    [
      "passport",
      "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10",
    ],
  ])("%s: %s", async (kind, text) => {
    expect(await kindsIn(text)).toEqual([kind]);
    expect(await kindsIn(text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)))).toEqual(
      kind === "us_ssn" ? [kind] : [],
    );
  });

  test.each([
    "536-90-4399",
    "The order 111222333 has left.",
    "sin 046 454 286 errores",
    "I will run 12.531.909-2 times",
    "The passport office opens at 9; ticket 4405140135.",
    "Passport no. X1234567",
  ])("need a word that names them, and check digits: %s", async (text) => {
    expect(await kindsIn(text)).toEqual([]);
  });
});

describe("honest mail has none", () => {
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");

  test.each([
    "Dear Ms Lovelace,\n\nthank you for your order 10-2026-000417. It leaves on Friday, tracking number 1Z999AA10123456784.\n\nKind regards\nAda",
    "Meeting on 2026-11-27 at 15:30, room 4.12; dial +49 30 901820, PIN 442 113, or (415) 555-0123.",
    "Your card was charged 1,234.56 EUR on 27.11.2026 for booking 8842-1137-22. The last four digits are 1111.",
    "Rechnung Nr. 2026/11/4711, Kundennummer 100045512, USt-IdNr. DE136695976, Betrag 1.190,00 EUR",
    "Facture F-2026-0099, SIRET 732 829 320 00074, TVA FR40303265045, à payer par carte sous 30 jours",
    "Factura A-118, CIF B58378431, pago con tarjeta al recibir, albarán 84512200334",
    "CPR training on 010203-1200 seats; NI release 45; SIN city; RUN 12345; my ID is 88231.",
    "UPS 1Z12345E0205271688, DHL 00340434161094015902, FedEx 449044304137821, ISBN 978-3-16-148410-0, EAN 4006381333931",
    "請求書番号 2026-1127、電話 03-1234-5678、金額 12,300円、カードでお支払いください",
    "Credit card payments: 20261127143000123 (transaction), terminal 00412, batch 000931.",
    `The commit is 9fceb02d0ae598e95dc970b74767f19372d61af8, the digest sha256:${sha("a")}.`,
    Array.from({ length: 40 }, () => `card ${randomUUID()}`).join("\n"),
    Array.from({ length: 40 }, (_, index) => `card token ${sha(String(index))}`).join("\n"),
    `data:image/png;base64,${Buffer.from(Array.from({ length: 9_000 }, (_, index) => (index * 131 + (index >> 3) * 17) % 256)).toString("base64")}`,
    "Log: 2026-11-27T14:30:00.123Z 10.0.0.12 GET /v1/cards/8f14e45f?limit=100 200 1532ms id=1764253800123",
    "https://shop.example/cart/4111111111111112?ref=visa-2026",
  ])("%#", async (text) => {
    expect(await kindsIn(text)).toEqual([]);
  });

  test("an invoice has its IBAN, and nothing else", async () => {
    const invoice = [
      "Invoice 2026-1177 for 12 printers at 199.00 EUR, due on 11 December 2026.",
      "VAT id DE136695976, customer 40021, order 4500017702, phone +49 30 1234567.",
      "Please pay to IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX, or by credit card on our page.",
    ].join("\n");
    const found = await scanText(invoice);
    expect(found.map(({ kind, value }) => [kind, value])).toEqual([["iban", "DE89370400440532013000"]]);
  });
});

test("the check digit of cards is Luhn's", () => {
  expect(["4111111111111111", "79927398713", "4111111111111112", "0000"].map(luhn)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("a long text is scanned in linear time", async () => {
  for (const piece of [
    "card 4111 ",
    "1234 5678 ",
    "DE89 ",
    "SSN ",
    "AKIA",
    "-----BEGIN PRIVATE KEY-----\n",
    "card\n",
    "1-",
  ]) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    expect(await measureThreadCpu(() => scanText(text)), piece).toBeLessThan(2_000);
  }
});

test("nothing of a text is kept for ever", async () => {
  const kept = () => performance.getEntriesByType("mark").length;
  const before = kept();
  for (let times = 0; times < 3; times++) await scanText("Nothing to see.");
  expect(kept()).toBe(before);
});
