import { type InboxProof, type NoProof, noProof } from "../../../mail/sender/proof.ts";
import { addressKey } from "../../../model/address.ts";
import type { Decisions } from "../../../model/message-facts.ts";
import type { MessageRecord } from "../../../model/messages.ts";

/** Returns the proof of a stored mail's author at its arrival, as far as later decisions need it. */
export function proofOfStored(
  { from, authenticated }: Pick<MessageRecord, "from" | "authenticated">,
  decisions: Decisions | null,
): { kind: "person" } | InboxProof | NoProof {
  const { origin = "phone", doubt, proof, sent_by } = decisions ?? {};
  if (proof === "inbox" || (proof === undefined && origin === "internal"))
    return { kind: "inbox", inbox_id: "", account_id: "", ...sent_by, address: addressKey(from) };
  // Mail from before the proof was recorded: without a doubt, it came from a person.
  const was_person = authenticated && doubt === undefined && origin !== "injected" && origin !== "phone";
  if (proof === "person" || (proof === undefined && was_person)) return { kind: "person" };
  return noProof(doubt ?? (origin === "injected" ? "it was injected" : "its sender was not authenticated"));
}
