import type { Work } from "../../kernel/work.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { forwardingsOf } from "./end.ts";

/**
 * Has a mail forwarded, in the transaction that stores or releases it, wherever all mail of its inbox goes; `chosen`: the
 * forwardings that rules have it sent by already.
 */
export async function forwardAll(
  work: Work,
  { id, inbox_id }: Pick<MessageRecord, "id" | "inbox_id">,
  chosen: readonly string[],
): Promise<void> {
  for (const { id: forwarding_id, everything } of await forwardingsOf(work, inbox_id, ["verified"]))
    if (everything && !chosen.includes(forwarding_id))
      work.job({ kind: "forwarding.send", subject_id: id, payload: { forwarding_id } });
}
