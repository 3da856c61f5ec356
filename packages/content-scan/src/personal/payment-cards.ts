import type { NamedNumber } from "./named-numbers.ts";

/** Words for payment cards, and the names of their brands. */
const WORDS = [
  ...[
    "card",
    "cards",
    "credit card",
    "debit card",
    "card number",
    "cardholder",
    "visa",
    "mastercard",
    "maestro",
  ],
  ...["amex", "american express", "discover", "diners club", "=JCB", "unionpay", "cvv", "cvc", "=PAN"],
  ...["karte", "kreditkarte", "kreditkartennummer", "kartennummer", "girokarte", "tarjeta", "carte bancaire"],
  ...[
    "carte",
    "carte bleue",
    "carta di credito",
    "carta",
    "cartão",
    "cartao",
    "kaart",
    "creditcard",
    "kaartnummer",
  ],
  ...[
    "kort",
    "kortnummer",
    "kreditkort",
    "betalkort",
    "luottokortti",
    "korttinumero",
    "kortti",
    "karta",
    "karty",
  ],
  ...["karta kredytowa", "numer karty", "kártya", "kártyaszám", "kartica", "broj kartice", "kredit kartı"],
  ...[
    "kart numarası",
    "kart",
    "карта",
    "карты",
    "карти",
    "номер карты",
    "картка",
    "κάρτα",
    "πιστωτική",
    "card de credit",
  ],
  ...[
    "כרטיס",
    "כרטיס אשראי",
    "بطاقة",
    "بطاقة الائتمان",
    "کارت",
    "कार्ड",
    "क्रेडिट",
    "কার্ড",
    "thẻ",
    "thẻ tín dụng",
    "kartu",
  ],
  ...[
    "บัตร",
    "บัตรเครดิต",
    "信用卡",
    "银行卡",
    "銀行卡",
    "卡号",
    "卡號",
    "カード",
    "クレジットカード",
    "카드",
    "카드번호",
  ],
];

/** The beginnings and lengths of the numbers of each brand (ISO/IEC 7812). */
const BRANDS: readonly [RegExp, readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^(?:30[0-5]|36|38|39)/, [14, 16]],
  [/^35(?:2[89]|[3-8])/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
];

/** Numbers of payment cards. */
export const PAYMENT_CARDS: NamedNumber = {
  kind: "payment_card",
  pattern: "\\d(?:[ \\u00a0-]?\\d){12,18}",
  words: WORDS,
  isValid(digits) {
    return (
      BRANDS.some(([begins, lengths]) => begins.test(digits) && lengths.includes(digits.length)) &&
      luhn(digits)
    );
  },
};

/** Whether a number of digits has the check digit of ISO/IEC 7812. */
export function luhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0 && /[1-9]/.test(digits);
}
