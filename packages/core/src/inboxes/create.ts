import { fail } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { domainForInboxes } from "../kernel/custom-domains.ts";
import { domainOf, isOurDomain } from "../kernel/mail-domain.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { takeFromPlan } from "../plans/index.ts";
import type { StorageReader, Transaction } from "../ports/storage.ts";
import { hasLostAddress, isFreeAddress, isPersonsAddress } from "./free-address.ts";
import { randomUsername } from "./random-username.ts";
import { checkUsername, DEFAULT_SECURITY } from "./rules.ts";
import { takeFromWorkspace } from "./workspace-quota.ts";

/** The settings of a new inbox; all but the account have defaults. `domain` is a custom domain, or the service's own. */
export type InboxRequest = {
  account_id: string;
  username?: string | undefined;
  domain?: string | undefined;
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
  { username, domain: asked, ...settings }: InboxRequest,
  now: Date,
): Promise<{ inbox: InboxRecord; inserted: boolean }> {
  if (username !== undefined) checkUsername(username);
  const domain = await domainAsked(services, tx, asked, settings.account_id);
  const name = username ?? (await freeUsername(tx, domain, settings.account_id));
  const email = `${name}@${domain}`;
  if (await isPersonsAddress(tx, email)) throw fail("username_taken", { param: "username" });
  const { record, inserted } = await tx.insert("inboxes", {
    ...emptyInbox,
    ...settings,
    id: services.makeId("inb"),
    username: name,
    email,
    domain,
    created_at: iso(now),
  });
  if (!inserted) return { inbox: record, inserted };
  await issueAddress(tx, record);
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
  if (asked === undefined || isOurDomain({ options }, asked)) return domainOf(options.mail_domain);
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
  send_mode: "direct",
} as const satisfies Partial<InboxRecord>;

/**
 * Issues an address to the account for good: after the inbox is deleted no other account gets it, unless that one
 * has proven the address's custom domain since.
 */
async function issueAddress(
  tx: Transaction,
  { email: address, account_id, id: inbox_id, created_at }: InboxRecord,
): Promise<void> {
  const { inserted } = await tx.insert("addresses", { address, account_id, inbox_id, created_at });
  if (inserted) return;
  const taken = await tx.update("addresses", { address, account_id, inbox_id: null }, { inbox_id });
  if (taken.length > 0) return;
  const before = await tx.get("addresses", address);
  if (before === undefined || !(await hasLostAddress(tx, before)))
    throw fail("username_taken", { param: "username" });
  const { account_id: loser } = before;
  const moved = await tx.update("addresses", { address, account_id: loser }, { account_id, inbox_id });
  if (moved.length === 0) throw fail("username_taken", { param: "username" });
}

async function freeUsername(reader: StorageReader, domain: string, account_id: string): Promise<string> {
  for (let tries = 0; tries < MAX_RANDOM_TRIES; tries++) {
    const name = randomUsername();
    if (await isFreeAddress(reader, `${name}@${domain}`, account_id)) return name;
  }
  throw new Error(`no free random username in ${MAX_RANDOM_TRIES} tries`);
}
