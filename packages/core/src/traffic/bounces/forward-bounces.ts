import { FORWARDED_HEADER } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Work } from "../../kernel/work.ts";
import { addressKey } from "../../model/address.ts";
import type { MessageRecord } from "../../model/messages.ts";

/** Counts mail that a forwarding sent and that came back for good; with the third, the forwarding is looked at. */
export async function noteForwardBounces(
  work: Work,
  { id, inbox_id }: Pick<MessageRecord, "id" | "inbox_id">,
  bounced: readonly { recipient: string }[],
): Promise<void> {
  const mark = (await work.get("message_bodies", id))?.headers[FORWARDED_HEADER];
  const forwarding_id = mark?.split(".")[1];
  if (forwarding_id === undefined) return;
  const emails = bounced.map(({ recipient }) => addressKey(recipient));
  const [counted] = await work.update(
    "forwardings",
    // A mark is only a header: that of another inbox counts for nothing.
    { id: forwarding_id, inbox_id, status: "verified", email: { in: emails } },
    { hard_bounces: { add: 1 } },
  );
  if (counted !== undefined && counted.hard_bounces >= LIMITS.forwarding_hard_bounces)
    work.job({ kind: "forwarding.check", subject_id: forwarding_id });
}
