import { findCodes } from "../../packages/core/src/mail/codes/find-codes.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import { type AnyTestSet, type Check, check, type TestSet } from "./check.ts";
import { buildRawMail, decodeRaw, type Raw } from "./raw-mail.ts";

const stripSeparators = (code: string | null | undefined): string | null =>
  code?.replace(/[\s-]/g, "") ?? null;

interface CodeCase {
  id: string;
  input: string;
  expected: string | null;
}

/** Texts with or without a one-time code; the first code found counts. */
export const CODE_SETS: TestSet<CodeCase>[] = ["otp", "measure-only/otp"].map((file) => {
  return {
    file,
    targets: { code: 0.95 },
    async score({ id, input, expected }) {
      const mail = await parseMail(buildRawMail({ from: "no-reply@sender.test", subject: "", text: input }));
      const found = stripSeparators(findCodes(mail)[0]?.code);
      return [
        check("code", id, found === stripSeparators(expected), () => [
          "other code",
          `${found}, expected ${expected} in ${input}`,
        ]),
      ];
    },
  };
});

/** Honest mail of other sets, which contains no code for signing in. */
export const NO_CODE_SETS: AnyTestSet[] = [
  {
    file: "ham_modern",
    targets: { "no code found": 1 },
    score: ({ id, ...entry }: { id: string; from: string; subject: string; text: string }) =>
      checkNoCode(id, buildRawMail(entry)),
  },
  {
    file: "measure-only/ham_enron_raw",
    targets: { "no code found": 0.995 },
    score: ({ id, input }: { id: string; input: Raw }) => checkNoCode(id, decodeRaw(input)),
  },
];

/** Whether no one-time code is found in an honest mail. */
export async function checkNoCode(id: string, raw: Uint8Array): Promise<Check[]> {
  const codes = findCodes(await parseMail(raw));
  return [
    check("no code found", id, codes.length === 0, () => ["found one", codes.map(({ code }) => code).join()]),
  ];
}
