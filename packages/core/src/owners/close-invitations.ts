import type { Work } from "../kernel/work.ts";

/**
 * Ends the codes and links of owners who have not confirmed. An inbox that begins to need approvals takes no
 * new owner without a present one's word, and that holds for those who were asked before too.
 */
export async function closeInvitations(work: Work, inbox_id: string): Promise<void> {
  await work.update("owners", { inbox_id, status: "pending" }, { code_hash: null, link_hash: null });
}
