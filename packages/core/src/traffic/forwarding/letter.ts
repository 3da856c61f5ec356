import { randomInt } from "node:crypto";
import { newLetterWord } from "../../catalogue/letter-words.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { forwardingEndedLetter, forwardingLetter } from "../../owners/notifications/index.ts";
import { mailFromNoReply } from "../../owners/sessions/index.ts";

const CODE_COUNT = 1_000_000;

/** The hash of a code, bound to its forwarding. It is stored sealed, since six digits can be guessed offline. */
export const codeHash = (forwarding_id: string, code: string): string =>
  hashSecret(`forwarding:${forwarding_id}:${code}`);

/**
 * Mails the code and the link of a forwarding to its mailbox, from no-reply, so that no inbox has a copy; or tells one of
 * those in charge (`to`) that it has ended. A newer code takes the place of the older.
 */
export async function sendForwardingLetter(services: Services, job: JobRecord): Promise<void> {
  const { storage, options, seal } = services;
  const forwarding = await storage.get("forwardings", job.subject_id);
  const inbox = forwarding && (await storage.get("inboxes", forwarding.inbox_id));
  if (forwarding === undefined || inbox === undefined) return endJob(storage, job);
  const { id, account_id, email, given_email, everything, expires_at } = forwarding;
  const { email: inbox_email, display_name } = inbox;
  const host = new URL(options.baseUrl).host;
  const { to } = job.payload;
  if (typeof to === "string")
    return mailFromNoReply(services, job, {
      kind: "forwarding_ended",
      email: to,
      account_id,
      letter: forwardingEndedLetter({
        ...{ email, inbox_email, host },
        reason: forwarding.failed_reason ?? "expired",
      }),
    });
  if (forwarding.status !== "pending" || forwarding.confirmed_at !== null) return endJob(storage, job);
  const code = String(randomInt(CODE_COUNT)).padStart(6, "0");
  const word = newLetterWord();
  const link = `${options.baseUrl}/api/v1/forwarding/confirm?token=${word}`;
  await mailFromNoReply(services, job, {
    kind: "forwarding",
    email: given_email ?? email,
    account_id,
    secrets: [{ secret: word, kind: "forward", expires_at: new Date(expires_at) }],
    code_of: id,
    async open(tx) {
      const [opened] = await tx.update(
        "forwardings",
        // The code of an older request isn't that of a newer one.
        { id, status: "pending", confirmed_at: null, expires_at },
        { code_hash: seal.seal(codeHash(id, code)), link_hash: hashSecret(word), code_tries: 0 },
      );
      return opened !== undefined;
    },
    letter: forwardingLetter({ inbox_email, display_name, email, everything, code, link, host }),
  });
}
