import type { DraftRecord } from "../../../model/drafts.ts";
import { checkReachable } from "../../../phone/telephony/index.ts";
import { checkSend, type Sender } from "../check-send.ts";
import { checkPhoneAct, phoneActOf } from "../phone/phone-send.ts";
import { checkWords } from "./rules.ts";

/**
 * Checks whether a draft may be sent now. Fails as `checkSend` does; a text or call as `checkWords`, `checkReachable`
 * and `checkPhoneAct` do.
 */
export async function checkSendDraft(sender: Sender, draft: DraftRecord): Promise<void> {
  const act = phoneActOf(draft);
  if (act === undefined) return checkSend(sender, draft);
  checkWords(act);
  await checkReachable(act.to);
  await checkPhoneAct(sender, act);
}
