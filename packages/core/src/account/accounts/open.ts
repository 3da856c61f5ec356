import { LIMITS } from "../../catalogue/limits.ts";
import { addressGroup, isLoopbackClient } from "../../kernel/client-address.ts";
import type { PublicContext, Services } from "../../kernel/context.ts";
import { countOrFail } from "../../kernel/rate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { iso } from "../../model/fields.ts";
import type { KeyRecord } from "../../model/keys.ts";
import { DEFAULT_KEY_NAME, newKey } from "./keys/create.ts";
import type { KeyTerms } from "./keys/rules.ts";
import { checkOnboarding } from "./rules.ts";

/** A new account, its first key, and the key's secret. */
export interface OpenedAccount {
  account: AccountRecord;
  key: KeyRecord;
  api_key: string;
}

/**
 * Opens an account with its first key; `fill` adds the rest of the sign-up in the same transaction. Fails
 * with `onboarding_closed`, or with `rate_limited` when too many sign-ups come from the caller's address.
 */
export async function openAccount<T>(
  ctx: PublicContext,
  terms: KeyTerms,
  name: string | undefined,
  fill: (opened: OpenedAccount, work: Work) => Promise<T>,
): Promise<T> {
  await admitSignUp(ctx, ctx.caller.ip, ctx.now, "agent");
  const opened = newAccount(ctx, ctx.now, terms, name);
  const { account, key } = opened;
  return unitOfWork(ctx, account.id, ctx.now, async (work) => {
    work.append("accounts", [account]);
    work.append("keys", [key]);
    return fill(opened, work);
  });
}

/** The records of a new account and of its first key, by default one with full access. */
export function newAccount(
  { makeId }: Pick<PublicContext, "makeId">,
  now: Date,
  terms: KeyTerms = FULL_ACCESS,
  name = DEFAULT_KEY_NAME,
): OpenedAccount {
  const account = accountWithoutKey({ makeId }, now);
  const { record: key, api_key } = newKey(
    makeId,
    { ...terms, account_id: account.id, name, parent_key_id: null },
    now,
  );
  return { account, key, api_key };
}

/** The record of a new account that has no key yet. */
export const accountWithoutKey = ({ makeId }: Pick<PublicContext, "makeId">, now: Date): AccountRecord => ({
  id: makeId("acct"),
  parent_account_id: null,
  created_at: iso(now),
  event_sequence: 0,
  storage_bytes: 0,
  sub_account_bytes: 0,
  plan: null,
  suspended_at: null,
  deleted_at: null,
  claimed: false,
  first_owner_email: null,
  lifecycle_emails: "on",
  owner_email_style: null,
  owner_email_style_note: null,
  send_mode_floor: "direct",
  receipt_head: null,
  letters_live_until: "",
});

const FULL_ACCESS: KeyTerms = { permissions: null, inbox_id: null, expires_at: null, budget: null };

/**
 * Fails with `onboarding_closed`, or with `rate_limited` when too many sign-ups come from an address; null or a
 * loopback address is a program on this machine.
 */
export async function admitSignUp(
  { storage, options }: Pick<Services, "storage" | "options">,
  ip: string | null,
  now: Date,
  by: "agent" | "person",
): Promise<void> {
  checkOnboarding(options.onboarding, by);
  if (ip === null || isLoopbackClient(ip)) return;
  await countOrFail(
    storage,
    { name: `signup:${addressGroup(ip)}`, max: LIMITS.signups_per_ip_hour, window_ms: 3600_000 },
    now,
  );
}
