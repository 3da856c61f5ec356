import { isFreeAddress, takeForInbox } from "../../kernel/addresses/address-registry.ts";
import { domainForInboxes } from "../../kernel/addresses/custom-domains.ts";
import { domainOf, isOurDomain } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { takeFromPlan } from "../../limits/plans/index.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { NO_OUTBOUND, type Outbound, type SendMode } from "../../model/outbound.ts";
import type { StorageReader, Transaction } from "../../ports/storage.ts";
import { startOutbound } from "./guards/start.ts";
import { randomUsername } from "./random-username.ts";
import { checkUsername, DEFAULT_SECURITY } from "./rules.ts";
import { takeFromWorkspace } from "./workspace-quota.ts";

/** The settings of a new inbox; all but the account have defaults. `domain` is a custom domain, or the service's own. */
export type InboxRequest = {
  account_id: string;
  username?: string | undefined;
  domain?: string | undefined;
  send_mode?: SendMode | undefined;
  outbound?: Outbound | undefined;
} & Partial<
  Pick<
    InboxRecord,
    | "display_name"
    | "labels"
    | "expires_at"
    | "metadata"
    | "client_id"
    | "screening"
    | "require_sender_auth"
    | "sms_tasks"
    | "voicemail_greeting"
  >
>;

const MAX_RANDOM_TRIES = 20;

/**
 * Inserts an inbox in the caller's transaction and issues its address. With a client_id used before, returns
 * that inbox and `inserted: false`. Fails with `invalid_username`, `username_reserved`, `username_taken`,
 * `plan_limit_exceeded`, or, at a custom domain, `domain_not_found` or `domain_not_verified`.
 */
export async function insertInbox(
  services: Pick<Services, "makeId" | "options">,
  tx: Transaction,
  { username, domain: asked, send_mode, outbound = NO_OUTBOUND, ...settings }: InboxRequest,
  now: Date,
): Promise<{ inbox: InboxRecord; inserted: boolean }> {
  if (username !== undefined) checkUsername(username);
  const domain = await domainAsked(services, tx, asked, settings.account_id);
  const name = username ?? (await freeUsername(tx, domain, settings.account_id, now));
  const email = `${name}@${domain}`;
  const start = await startOutbound(services, tx, { account_id: settings.account_id, send_mode, outbound });
  const { record, inserted } = await tx.insert("inboxes", {
    ...emptyInbox,
    ...settings,
    ...start,
    release_by: start.effective_send_mode === "direct" ? "key" : "authority",
    id: services.makeId("inb"),
    username: name,
    email,
    domain,
    created_at: iso(now),
    imported_at: null,
    expects_until: null,
    has_rules: false,
    forwards_all: false,
  });
  if (!inserted) return { inbox: record, inserted };
  await takeForInbox(tx, record, now);
  await takeFromWorkspace(tx, record.account_id);
  await takeFromPlan(services, tx, record.account_id, "inboxes", 1, now);
  return { inbox: record, inserted };
}

/** The domain of a new inbox, in its canonical form; a custom one is held until the transaction ends. */
async function domainAsked(
  { options }: Pick<Services, "options">,
  tx: Transaction,
  asked: string | undefined,
  account_id: string,
): Promise<string> {
  if (asked === undefined || isOurDomain({ options }, asked)) return domainOf(options.mailDomain);
  return (await domainForInboxes(tx, { account_id, domain: asked })).domain;
}

const emptyInbox = {
  ...DEFAULT_SECURITY,
  display_name: null,
  voicemail_greeting: null,
  labels: [],
  expires_at: null,
  status: "active",
  paused_at: null,
  metadata: {},
  client_id: null,
  owner_copy: "off",
  reply_guard: false,
  sending_paused_at: null,
} as const satisfies Partial<InboxRecord>;

async function freeUsername(
  reader: StorageReader,
  domain: string,
  account_id: string,
  now: Date,
): Promise<string> {
  for (let tries = 0; tries < MAX_RANDOM_TRIES; tries++) {
    const name = randomUsername();
    if (await isFreeAddress(reader, `${name}@${domain}`, account_id, now)) return name;
  }
  throw new Error(`no free random username in ${MAX_RANDOM_TRIES} tries`);
}
