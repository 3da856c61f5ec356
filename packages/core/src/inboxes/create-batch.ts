import { randomInt } from "node:crypto";
import type { AccountContext } from "../kernel/context.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { Transaction } from "../ports/storage.ts";
import { type InboxRequest, insertInbox } from "./create.ts";
import { checkUsername } from "./rules.ts";

const tailChars = "abcdefghjkmnpqrstvwxyz23456789";
const tailLength = 6;
const tries = 20;

/**
 * Creates `count` inboxes, all or none. With a prefix their names are the prefix and a random tail, else
 * random readable ones. Fails with `invalid_username` or `username_reserved` when no name can begin like
 * that.
 */
export async function createInboxes(
  ctx: AccountContext,
  { count, prefix }: { count: number; prefix: string | undefined },
  wish: Omit<InboxRequest, "username">,
): Promise<InboxRecord[]> {
  if (prefix !== undefined) checkUsername(`${prefix}-${"a".repeat(tailLength)}`, "prefix");
  return ctx.transaction(async (work) => {
    const made: InboxRecord[] = [];
    while (made.length < count) {
      const username =
        prefix === undefined ? undefined : await freeName(work, prefix, ctx.options.mail_domain);
      made.push((await insertInbox(ctx, work, { ...wish, username }, ctx.now)).inbox);
    }
    return made;
  });
}

async function freeName(tx: Transaction, prefix: string, domain: string): Promise<string> {
  for (let tried = 0; tried < tries; tried++) {
    const name = `${prefix}-${randomTail()}`;
    if ((await tx.get("addresses", `${name}@${domain}`)) === undefined) return name;
  }
  throw new Error(`no free name with the prefix ${prefix} in ${tries} tries`);
}

/** Letters and digits that nobody mixes up, so that a name can be read out. */
const randomTail = (): string =>
  Array.from({ length: tailLength }, () => tailChars[randomInt(tailChars.length)]).join("");
