import { fail } from "../../catalogue/errors.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { workOnContent } from "../../mail/content-tasks.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import type { CanaryRecord } from "../../model/canaries.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { findCanaries } from "./find.ts";
import { findOwnSecret, ownSecretFault, tellLeaked } from "./own-secrets.ts";
import { isTold, pausesSending } from "./rules.ts";

/** The parts of a mail, text or call in which a canary could leave. */
export interface Leaving {
  to?: readonly string[] | undefined;
  cc?: readonly string[] | undefined;
  bcc?: readonly string[] | undefined;
  reply_to?: string | null | undefined;
  in_reply_to?: string | null | undefined;
  names?: Readonly<Record<string, string>> | undefined;
  subject?: string | undefined;
  text?: string | null | undefined;
  html?: string | null | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  attachments?: readonly StoredAttachment[] | undefined;
}

/** How a canary trips. */
export interface Tripping {
  /** In a dry run: it is told, and sending goes on. */
  only_tried?: boolean;
}

/**
 * Checks that no canary leaves with a mail: in its subject, bodies, headers, addresses, names, or in the names and bytes
 * of its attachments. Fails with `canary_leaked`, after it has told those in charge and paused sending.
 */
export async function checkCanaries(
  services: Services,
  inbox: InboxRecord,
  { to = [], cc = [], bcc = [], reply_to, in_reply_to, subject, text, html, ...mail }: Leaving,
  now: Date,
  how: Tripping = {},
): Promise<void> {
  const { names = {}, headers = {}, attachments = [] } = mail;
  const texts = [
    ...[inbox.display_name, subject, text, html, reply_to, in_reply_to].filter((each) => each != null),
    ...[...to, ...cc, ...bcc, ...Object.values(names), ...Object.entries(headers).flat()],
    ...attachments.flatMap(({ filename, content_id }) => [filename, content_id ?? ""]),
  ];
  await checkTexts(services, inbox, texts, now, how);
  for (const hash of new Set(attachments.map((each) => each.hash))) {
    const bytes = await services.blobs.get(hash);
    if (bytes !== undefined) await checkTexts(services, inbox, [bytes], now, how);
  }
}

/** The same for texts and bytes. */
export async function checkTexts(
  services: Services,
  inbox: InboxRecord,
  texts: readonly (string | Uint8Array)[],
  now: Date,
  how: Tripping = {},
): Promise<void> {
  const found = await findCanaries(services.storage, inbox.account_id, texts);
  if (found.length === 0) return;
  await tripCanaries(services, inbox, found, now, how);
  throw fail("canary_leaked");
}

/**
 * Checks that words of an agent which go to people of its account have neither a secret of the account nor a canary.
 * Fails with `own_secret` or `canary_leaked`, after it has told of it.
 */
export async function checkWordsToOwners(
  services: Services,
  inbox: InboxRecord,
  texts: readonly string[],
  now: Date,
): Promise<void> {
  const words = await workOnContent(services.contentWorker, "ownWords", {
    ...{ texts: [...texts], uploads: [], files: [] },
  });
  const secret = await findOwnSecret({ ...services, inbox, now }, words);
  if (secret !== undefined) {
    await tellLeaked(services, inbox, secret, now);
    throw ownSecretFault(secret);
  }
  await checkTexts(services, inbox, texts, now);
}

/**
 * Notes that canaries were about to leave an inbox: an event for each, letters to those in charge, and, unless outsiders
 * knew them already, sending stops from that inbox and from the one that the canary watches.
 */
async function tripCanaries(
  services: Services,
  inbox: InboxRecord,
  canaries: readonly CanaryRecord[],
  now: Date,
  { only_tried = false }: Tripping,
): Promise<void> {
  await unitOfWork(services, inbox.account_id, now, async (work) => {
    const fresh = only_tried ? [] : canaries.filter(pausesSending);
    const paused = fresh.length === 0 ? [] : [inbox.id, ...fresh.map(({ inbox_id }) => inbox_id)];
    if (paused.length > 0)
      await work.update(
        "inboxes",
        { id: { in: [...new Set(paused)] }, sending_paused_at: null },
        { sending_paused_at: iso(now) },
      );
    const ruled = { account_id: inbox.account_id, inbox_id: inbox.id };
    const in_charge = new Set((await authoritiesOver(services, work, ruled)).map(({ email }) => email));
    for (const canary of canaries) {
      const { id: canary_id, name, inbox_id: watches } = canary;
      const pauses = fresh.includes(canary);
      await work.update("canaries", { id: canary_id }, { tripped_at: iso(now) });
      const data = { canary_id, name, watched_inbox_id: watches, inbox_id: inbox.id, sending_paused: pauses };
      work.publish({ type: "canary.tripped", inbox_id: inbox.id, data });
      if (!isTold(canary, now)) continue;
      for (const to of in_charge)
        work.job({
          kind: "canary.letter",
          subject_id: canary_id,
          payload: { to, name, inbox_email: inbox.email, account_id: inbox.account_id, pauses },
        });
    }
  });
}
