import { expect, test } from "vitest";
import { mailboxesInLines } from "./mailbox-lines.ts";

test.each([
  ["", []],
  [" \n", []],
  ["ada@example.com", ["ada@example.com"]],
  [
    "ada@example.com, bea@example.com; cay@example.com",
    ["ada@example.com", "bea@example.com", "cay@example.com"],
  ],
  ["ada@example.com\nbea@example.com", ["ada@example.com", "bea@example.com"]],
  ["Ada Lovelace <ada@example.com> ", ['"Ada Lovelace" <ada@example.com>']],
  ['"Lovelace, Ada" <ada@example.com>', ['"Lovelace, Ada" <ada@example.com>']],
  ['Ada "Countess" <ada@example.com>', ['"Ada \\"Countess\\"" <ada@example.com>']],
  ["<ada@example.com>", ["<ada@example.com>"]],
])("%j are %j", (lines, mailboxes) => expect(mailboxesInLines(lines)).toEqual(mailboxes));
