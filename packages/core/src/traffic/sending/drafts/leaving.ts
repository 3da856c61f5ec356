import type { DraftRecord } from "../../../model/drafts.ts";
import type { Leaving } from "../../gate/index.ts";
import { leavingOf, phoneActOf } from "../phone/phone-send.ts";

/** A draft as the gate sees it. */
export function leavingOfDraft(draft: DraftRecord): Leaving {
  const act = phoneActOf(draft);
  return act === undefined ? { ...draft, way: "mail", stored: draft.attachments } : leavingOf(act);
}
