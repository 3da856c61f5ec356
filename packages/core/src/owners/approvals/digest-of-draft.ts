import { ownerCopiesOf } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { mailDigest } from "./rules.ts";

/** The digest of a draft as it would leave now, with the copies that those in charge get. */
export async function digestOfDraft(
  services: Pick<Services, "options">,
  storage: StorageReader,
  inbox: InboxRecord,
  draft: DraftRecord,
): Promise<string> {
  const is_mail = draft.kind !== "sms" && draft.kind !== "call";
  return mailDigest(inbox, draft, is_mail ? await ownerCopiesOf(services, storage, inbox) : []);
}
