import { SUSPICIOUS_FROM } from "../../packages/core/src/mail/screening/screen.ts";
import { type Check, check } from "./check.ts";
import { screenRaw } from "./screening-sets.ts";
import { readSpamCorpus } from "./spam-package.ts";

/** The rate of false alarms at which spam filters are commonly compared. */
const FALSE_ALARM_RATE = 0.01;

/** Targets for the SpamAssassin corpus; "spam caught" is measured at one per cent of false alarms. */
export const SPAM_TARGETS = { "spam caught": 0.95, "ham not held": 0.99 };

/** Screens the whole corpus (some 6,000 mails). */
export async function scoreSpam(): Promise<Check[]> {
  const mails: { id: string; spam: boolean; score: number; types: string }[] = [];
  for await (const { id, spam, raw } of readSpamCorpus()) {
    const { score, findings } = await screenRaw(raw);
    mails.push({ id, spam, score, types: findings.map(({ type }) => type).join(", ") });
  }
  const ham = mails.filter(({ spam }) => !spam).map(({ score }) => score);
  const threshold = findThreshold(ham);
  return mails.flatMap(({ id, spam, score, types }) =>
    spam
      ? [
          check("spam held", id, score >= SUSPICIOUS_FROM, () => ["let through", types]),
          check("spam caught", id, score >= threshold, () => [
            "let through",
            `score ${score}, threshold ${threshold}: ${types}`,
          ]),
        ]
      : [
          check("ham not held", id, score < SUSPICIOUS_FROM, () => [
            id.split("/")[0] ?? id,
            `score ${score}: ${types}`,
          ]),
        ],
  );
}

/** The lowest score reached by at most the allowed share of honest mail. */
function findThreshold(ham: number[]): number {
  const descending = ham.toSorted((one, other) => other - one);
  return (descending[Math.floor(ham.length * FALSE_ALARM_RATE)] ?? 0) + 1;
}
