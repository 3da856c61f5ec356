import { LetterslotError } from "../../../catalogue/errors.ts";
import type { HeldDrafts } from "../../../kernel/context.ts";
import { checkBudget } from "../../../limits/budgets/index.ts";
import { scheduleBlobCollection, storeUploads } from "../../../mailbox/messages/index.ts";
import { passGate, rememberableIn } from "../../gate/index.ts";
import { phoneActOf } from "../phone/phone-send.ts";
import { leavingOfDraft } from "./leaving.ts";
import { addBlobUses, removeBlobUses } from "./store.ts";

/** How a draft that waits for an owner is judged and stored as that owner changed it. */
export const heldDrafts: HeldDrafts = {
  async judge(services, inbox, draft, now) {
    const { reasons } = await passGate({ ...services, inbox, now }, leavingOfDraft(draft));
    if (phoneActOf(draft) === undefined)
      await storeUploads({ ...services, inbox, now }, [], { ...draft, stored: draft.attachments });
    await checkBudget(services.storage, draft.asked_by_key_id, draft, now).catch(passLater);
    return reasons;
  },
  valuesIn: (services, inbox, draft, now) =>
    rememberableIn({ ...services, inbox, now }, leavingOfDraft(draft)),
  async useFiles(work, before, after, now) {
    await removeBlobUses(work, before);
    addBlobUses(work, after);
    const dropped = before.attachments.filter(({ id }) => !after.attachments.some((kept) => kept.id === id));
    scheduleBlobCollection(
      work,
      dropped.map(({ hash }) => hash),
      now,
    );
  },
};

/** An approved mail may wait for its key's next day, but not for other recipients. */
function passLater(error: unknown): void {
  if (!(error instanceof LetterslotError) || error.code !== "budget_exceeded") throw error;
}
