import { findCodes } from "../../packages/core/src/mail/codes/find-codes.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import { check, type TestSet } from "./check.ts";
import { rawMail } from "./raw-mail.ts";

const bare = (code: string | null | undefined): string | null => code?.replace(/[\s-]/g, "") ?? null;

/** Texts with a code to enter somewhere, or with none; the first code that is found counts. */
export const CODE_SETS: TestSet<{ id: string; input: string; expected: string | null }>[] = [
  {
    file: "otp",
    targets: { code: 1 },
    async score({ id, input, expected }) {
      const mail = await parseMail(rawMail({ from: "no-reply@sender.test", subject: "", text: input }));
      const found = bare(findCodes(mail)[0]?.code);
      return [
        check("code", id, found === bare(expected), () => [
          "other code",
          `${found}, wanted ${expected} in ${input}`,
        ]),
      ];
    },
  },
];

/** Honest mail of another set, in which no code is to be found. */
export const NO_CODE_SETS: TestSet<{ id: string; from: string; subject: string; text: string }>[] = [
  {
    file: "ham_modern",
    targets: { "no code found": 1 },
    async score({ id, ...entry }) {
      const codes = findCodes(await parseMail(rawMail(entry)));
      return [
        check("no code found", id, codes.length === 0, () => [
          "found one",
          codes.map(({ code }) => code).join(),
        ]),
      ];
    },
  },
];
