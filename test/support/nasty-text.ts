import fc from "fast-check";

/** Text that ends a header or starts another, or would if decoded once more. */
const BREAKS = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u000b",
  "\u000c",
  "\r\n ",
  "\r\n\r\n",
  "\n\n.\n",
];
const SMUGGLED = [
  "Bcc: eve@evil.example",
  "X-Injected: 1",
  "From: eve@evil.example",
  "Content-Type: text/html",
  "To: eve@evil.example",
];
const ENCODED = [
  "=?utf-8?q?=0d=0aX-Injected:_1?=",
  "=?utf-8?b?DQpYLUluamVjdGVkOiAx?=",
  "%0d%0aX-Injected: 1",
  "\\r\\nX-Injected: 1",
  "＜eve@evil.example＞",
  "嘊嘍X-Injected: 1",
];
const QUOTING = [
  '"',
  "\\",
  "<",
  ">",
  ",",
  ";",
  ":",
  "(",
  ")",
  "=?",
  "?=",
  "eve@evil.example",
  "Mara",
  " ",
  "ü",
  "日本",
];

/** Text with which an attacker tries to inject a header. */
export const nastyText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...BREAKS, ...SMUGGLED, ...ENCODED, ...QUOTING), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(""));

/** One example of each technique. */
export const NASTY_TEXTS: string[] = [
  ...BREAKS.flatMap((end) => SMUGGLED.slice(0, 3).map((header) => `a${end}${header}`)),
  ...ENCODED,
  'Eve" <eve@evil.example>, "x',
];
