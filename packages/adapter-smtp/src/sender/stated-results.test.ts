import { expect, test } from "vitest";
import { readStatedResults } from "./stated-results.ts";

const example = { result: "pass", from: "example.com" };

test.each([
  ["a result", "i=1; mx.test; dmarc=pass header.from=example.com", { dmarc: [example] }],
  [
    "a result with a comment",
    "i=1; mx.test; dmarc=pass (p=reject; dis=none) header.from=example.com",
    { dmarc: [example] },
  ],
  [
    "a result inside comments",
    "i=1; mx.test; spf=none (x (dmarc=pass header.from=example.com) dkim=pass)",
    {},
  ],
  ["a result after an unclosed comment", "i=1; mx.test; spf=none (x; dmarc=pass header.from=example.com", {}],
  [
    "a result inside quotes",
    'i=1; mx.test; spf=none smtp.mailfrom="x; dmarc=pass header.from=example.com"',
    {},
  ],
  [
    "a property inside quotes",
    'i=1; mx.test; dmarc=pass x="a header.from=example.com"',
    { dmarc: [{ result: "pass", from: "" }] },
  ],
  [
    "a property that begins with a quote",
    'i=1; mx.test; dmarc=pass "header.from=example.com"',
    { dmarc: [{ result: "pass", from: "" }] },
  ],
  [
    "a quote inside a comment",
    'i=1; mx.test; spf=none (a " quote); dmarc=fail header.from=example.com',
    { dmarc: [{ ...example, result: "fail" }] },
  ],
  [
    "an escaped quote",
    'i=1; mx.test; spf=none x="a\\"; dmarc=pass header.from=b"; dmarc=fail',
    { dmarc: [{ result: "fail", from: "" }] },
  ],
  [
    "an escaped parenthesis",
    "i=1; mx.test; spf=none (a \\) dmarc=pass); dmarc=fail",
    { dmarc: [{ result: "fail", from: "" }] },
  ],
  ["upper case", "i=1; MX.test; DMARC=Pass HEADER.FROM=Example.COM", { dmarc: [example] }],
  ["a version", "i=1; mx.test 1; dmarc/1=pass header.from=example.com", { dmarc: [example] }],
  ["folds", "i=1; mx.test;\r\n\tdmarc=pass\r\n header.from=example.com;\r\n", { dmarc: [example] }],
  ["a whole address", "i=1; mx.test; dmarc=pass header.from=ada@example.com", { dmarc: [example] }],
  [
    "two results",
    "i=1; mx.test; dmarc=pass header.from=example.com; dmarc=fail",
    { dmarc: [example, { result: "fail", from: "" }] },
  ],
  [
    "signatures",
    "i=1; mx.test; dkim=pass header.i=@a.test header.s=s; dkim=fail header.d=b.test header.i=ada@c.test",
    {
      dkim: [
        { result: "pass", domain: "a.test" },
        { result: "fail", domain: "b.test" },
      ],
    },
  ],
  ["similar words", "i=1; mx.test; dmarcx=pass; xdmarc=pass; dmarc=pass1; dkim-atps=pass", {}],
  ["an empty header", "", {}],
  ["a trailing backslash", "i=1; mx.test; dmarc=pass header.from=example.com \\", { dmarc: [example] }],
])("%s", (_, value, stated) => {
  expect(readStatedResults(value)).toEqual({ dmarc: [], dkim: [], ...stated });
});
