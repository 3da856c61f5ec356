import fc from "fast-check";

/** What ends a header, begins another, or would if somebody decoded it once more. */
const breaks = [
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
const smuggled = [
  "Bcc: eve@evil.example",
  "X-Injected: 1",
  "From: eve@evil.example",
  "Content-Type: text/html",
  "To: eve@evil.example",
];
const encoded = [
  "=?utf-8?q?=0d=0aX-Injected:_1?=",
  "=?utf-8?b?DQpYLUluamVjdGVkOiAx?=",
  "%0d%0aX-Injected: 1",
  "\\r\\nX-Injected: 1",
  "＜eve@evil.example＞",
  "嘊嘍X-Injected: 1",
];
const quoting = [
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

/** Text by which somebody tries to write a header of their own. */
export const nastyText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...breaks, ...smuggled, ...encoded, ...quoting), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(""));

/** Each way of smuggling once, for tests that take every one. */
export const nastyTexts: string[] = [
  ...breaks.flatMap((end) => smuggled.slice(0, 3).map((header) => `a${end}${header}`)),
  ...encoded,
  'Eve" <eve@evil.example>, "x',
];
