import { beginErasing } from "./account/erasing/index.ts";
import { applyGuards, endInbox, trashInbox } from "./account/inboxes/index.ts";
import { applyWebhookChange } from "./events/webhooks/index.ts";
import type { Acts } from "./kernel/context.ts";
import { inviteOwner, removeOwner } from "./owners/owners/index.ts";
import { giveAuthority } from "./owners/sessions/index.ts";
import { applyForwarding } from "./traffic/forwarding/index.ts";

/** The effect of each kind of approval; a draft becomes due when its approval ends. */
export const acts: Acts = {
  draft: async () => undefined,
  async inbox_delete(_parts, work, { inbox_id, change, decided_by }, now) {
    const inbox = await work.get("inboxes", inbox_id);
    if (inbox === undefined) return;
    if (change["permanent"] === "true") return endInbox(work, inbox, now);
    const email = decided_by?.email ?? null;
    const deleted_by = { type: "owner" as const, key_id: null, client_id: null, email };
    return trashInbox(work, inbox, { deleted_by, decided: true }, now);
  },
  // Asked for by earlier versions.
  send_mode_change: (_parts, work, { inbox_id }) => applyGuards(work, inbox_id, { send_mode: "direct" }),
  outbound_change: (_parts, work, { inbox_id, change }) => applyGuards(work, inbox_id, change),
  async owner_add(services, work, { inbox_id, change }, now) {
    const inbox = await work.get("inboxes", inbox_id);
    if (inbox === undefined) return;
    const digest = change["digest"] === "daily" ? "daily" : "immediate";
    await inviteOwner(services, work, {
      inbox,
      email: change["email"] ?? "",
      digest,
      ip: null,
      approved: true,
      now,
    });
  },
  async authority_grant(services, work, { account_id, inbox_id: asked_from, change, decided_by }, now) {
    const inbox_id = change["inbox_id"] ?? null;
    if (inbox_id !== null && (await work.get("inboxes", inbox_id)) === undefined) return;
    const email = change["email"] ?? "";
    const given_by = decided_by?.email ?? asked_from;
    await giveAuthority(services, work, { email, account_id, inbox_id, given_by }, now);
  },
  // Its sender is looked up anew, which takes longer than a transaction may.
  message_release: async (_parts, work, { subject_id }) => work.job({ kind: "message.release", subject_id }),
  webhook_change: applyWebhookChange,
  forwarding_add: applyForwarding,
  account_delete: (_parts, work, { account_id }, now) => beginErasing(work, account_id, now),
  async owner_delete(_parts, work, { inbox_id, change }) {
    await removeOwner(work, inbox_id, change["owner_id"] ?? "");
  },
};
