import { randomInt } from "node:crypto";
import { isFreeAddress } from "../../kernel/addresses/address-registry.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { AccountContext } from "../../kernel/context.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { Transaction } from "../../ports/storage.ts";
import { type InboxRequest, insertInbox } from "./create.ts";
import { checkUsername } from "./rules.ts";

const TAIL_CHARS = "abcdefghjkmnpqrstvwxyz23456789";
const TAIL_LENGTH = 6;
const MAX_TRIES = 20;

/**
 * Creates `count` inboxes in the caller's transaction, named by the prefix and a random tail, or with random readable names.
 * Fails with `invalid_username` or `username_reserved` when the prefix is not allowed, and at a custom domain as one inbox does.
 */
export async function createInboxes(
  ctx: AccountContext,
  work: Transaction,
  { count, prefix }: { count: number; prefix: string | undefined },
  settings: Omit<InboxRequest, "username">,
): Promise<InboxRecord[]> {
  if (prefix !== undefined) checkUsername(`${prefix}-${"a".repeat(TAIL_LENGTH)}`, "prefix");
  const made: InboxRecord[] = [];
  while (made.length < count) {
    const username = prefix === undefined ? undefined : await freeName(ctx, work, prefix, settings.domain);
    made.push((await insertInbox(ctx, work, { ...settings, username }, ctx.now)).inbox);
  }
  return made;
}

async function freeName(
  { options, account_id, now }: Pick<AccountContext, "options" | "account_id" | "now">,
  tx: Transaction,
  prefix: string,
  domain = options.mailDomain,
): Promise<string> {
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const name = `${prefix}-${randomTail()}`;
    if (await isFreeAddress(tx, `${name}@${domainOf(domain)}`, account_id, now)) return name;
  }
  throw new Error(`no free name with the prefix ${prefix} in ${MAX_TRIES} tries`);
}

/** Unambiguous letters and digits, so that a name can be read aloud. */
const randomTail = (): string =>
  Array.from({ length: TAIL_LENGTH }, () => TAIL_CHARS[randomInt(TAIL_CHARS.length)]).join("");
