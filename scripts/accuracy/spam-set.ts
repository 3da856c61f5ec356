import { SUSPICIOUS_FROM } from "../../packages/core/src/mail/screening/screen.ts";
import { type Check, check } from "./check.ts";
import { checkNoCode } from "./code-sets.ts";
import { screenRaw } from "./screening-sets.ts";
import { readSpamCorpus } from "./spam-package.ts";

/** Targets for the SpamAssassin corpus. Its spam of 2002 is advertising, which screening isn't for: no target. */
export const SPAM_TARGETS = { "ham not held": 0.995, "spam held": 0, "no code found": 0.995 };

/** Screens the whole corpus (some 6,000 mails). */
export async function scoreSpam(): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const { id, spam, raw } of readSpamCorpus()) {
    const { score, findings } = await screenRaw(raw);
    if (!spam) checks.push(...(await checkNoCode(id, raw)));
    const held = score >= SUSPICIOUS_FROM;
    checks.push(
      check(spam ? "spam held" : "ham not held", id, held === spam, () => [
        spam ? "let through" : (id.split("/")[0] ?? id),
        `score ${score}: ${findings.map(({ type }) => type).join(", ")}`,
      ]),
    );
  }
  return checks;
}
