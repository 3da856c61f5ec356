import { parseMail } from "../../packages/core/src/mail/parse.ts";
import {
  type ScreenedSender,
  SUSPICIOUS_FROM,
  screenMail,
} from "../../packages/core/src/mail/screening/screen.ts";
import type { ScreeningResult } from "../../packages/core/src/model/screening.ts";
import { screeningInput } from "../../packages/core/test/screened-mail.ts";
import { type Check, check, type TestSet } from "./check.ts";
import { buildPage, decodeRaw, type Raw, withoutCollectionHeaders } from "./raw-mail.ts";

interface HonestCase {
  id: string;
  from: string;
  subject: string;
  text: string;
  html?: string | null;
}

/** The addresses that each honest mail is played to: what an inbox is called must not matter. */
export const RECIPIENTS = [
  "ada@agents.test",
  "assistant@agents.test",
  "support-bot@agents.test",
  "claude@agents.test",
  "hello@halden-labs.test",
] as const;

/** The recipient that the sets were made with. */
const MADE_FOR = /\bada@agents\.test\b/g;
const NOT_HELD = "not held";
const STRANGER: Partial<ScreenedSender> = {};
const AUTHENTIC: Partial<ScreenedSender> = { authenticated: true, spf: "pass", dkim: "pass", dmarc: "pass" };
/** As strangers, and as senders whom the inbox knows. */
const SENDERS: Record<string, Partial<ScreenedSender>> = {
  "a stranger": STRANGER,
  "an authenticated stranger": AUTHENTIC,
  "a known sender": { ...AUTHENTIC, known: true },
};

/** Honest mail that nobody may hold, whatever its recipient is called, whoever sent it, however its links are counted. */
export const HONEST_SETS: TestSet<never>[] = [
  ...["honest_account_mails", "honest_templates", "honest_brand_mails"].map((name) => ({
    file: `measure-only/${name}`,
    targets: { [NOT_HELD]: 1 },
    score: scorePlayed,
  })),
  {
    file: "measure-only/honest_lists_2010",
    targets: { [NOT_HELD]: 0.995 },
    score: scoreListMail,
  },
];

async function scorePlayed(entry: HonestCase): Promise<Check[]> {
  for (const to of RECIPIENTS)
    for (const tracked of [false, true]) {
      const mail = await parseMail(buildPage(entry, to, playedTo(to, tracked)));
      for (const [who, sender] of Object.entries(SENDERS)) {
        const result = screenMail(screeningInput({ mail, sender }));
        if (result.score >= SUSPICIOUS_FROM)
          return [held(entry.id, result, `${to}, from ${who}${tracked ? ", links counted" : ""}`)];
      }
    }
  return [check(NOT_HELD, entry.id, true, () => ["", ""])];
}

async function scoreListMail({ id, input }: { id: string; input: Raw }): Promise<Check[]> {
  const mail = await parseMail(withoutCollectionHeaders(decodeRaw(input)));
  for (const to of RECIPIENTS) {
    const result = screenMail(screeningInput({ mail: { ...mail, to: [{ address: to, name: "" }] } }));
    if (result.score >= SUSPICIOUS_FROM) return [held(id, result, to)];
  }
  return [check(NOT_HELD, id, true, () => ["", ""])];
}

const held = (id: string, { score, findings }: ScreeningResult, how: string): Check =>
  check(NOT_HELD, id, false, () => [how, `score ${score}: ${findings.map(({ type }) => type).join(", ")}`]);

/** Addresses a mail to somebody, and may give each of its links its own counting address. */
function playedTo(to: string, tracked: boolean): (text: string) => string {
  let links = 0;
  return (text) => {
    const addressed = text.replace(MADE_FOR, to);
    if (!tracked) return addressed;
    return addressed.replace(
      /https?:\/\/[^\s"'<>)]+/g,
      () => `https://click.mail-counting.test/c/${++links}x7Kq2`,
    );
  };
}
