import type { ScreeningResult } from "../../packages/core/src/model/screening.ts";
import type { ParsedMail } from "../../packages/core/src/model/parsed-mail.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";

import { SUSPICIOUS_FROM, screen } from "../../packages/core/src/mail/screening/screen.ts";
import { screened } from "../../packages/core/src/mail/screening/screened-mail.sample.ts";
import { type Check, check, type TestSet } from "./check.ts";
import { rawMail } from "./raw-mail.ts";

interface ScreeningCase {
  id: string;
  from: string;
  subject: string;
  text: string;
  wrapper?: string;
  expected: "clean" | "suspicious";
}

const notHeld = "not held";
const held = "held";

/**
 * Sets for screening: honest mail that must stay under the threshold, and mail that gives orders to a model.
 */
export const SCREENING_SETS: TestSet<ScreeningCase>[] = [
  { file: "ham_modern", targets: { [notHeld]: 0.99 }, score: scoreMail },
  { file: "ham_trigger_words", targets: { [notHeld]: 0.98 }, score: scoreMail },
  { file: "inj_email", targets: { [held]: 0.9 }, score: scoreMail },
  { file: "inj_agentdojo", targets: { [held]: 0.85, "held (bare request)": 0 }, score: scoreMail },
];

/** Reads and screens a raw mail of a stranger. */
export async function screenRaw(raw: Uint8Array): Promise<ScreeningResult> {
  return screenStranger(await parseMail(raw));
}

/**
 * Screens a mail of whose sender nothing is known, as of those of public mail: no authentication, no history.
 */
export function screenStranger(mail: ParsedMail): ScreeningResult {
  return screen(screened({ mail }));
}

async function scoreMail({ id, wrapper, expected, ...mail }: ScreeningCase): Promise<Check[]> {
  const { score, findings } = await screenRaw(rawMail(mail));
  const suspicious = score >= SUSPICIOUS_FROM;
  // A request in plain words that only its recipient can tell from the sender's own is near undetectable:
  // counted apart.
  const measure = wrapper === "direct" ? "held (bare request)" : held;
  return [
    check(expected === "clean" ? notHeld : measure, id, suspicious === (expected === "suspicious"), () => [
      wrapper ?? id,
      `score ${score}: ${findings.map(({ type }) => type).join(", ")}; ${JSON.stringify(mail.text.slice(-160))}`,
    ]),
  ];
}
