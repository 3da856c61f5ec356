import { fail } from "../../catalogue/errors.ts";
import { inWords } from "../../catalogue/ids.ts";
import {
  authoritiesOf,
  authoritiesOver,
  decidersOver,
  endExportsOf,
  takeCharge,
} from "../../kernel/access/authority.ts";
import { subAccountsOf } from "../../kernel/access/root-account.ts";
import { endPersons, takeForPerson } from "../../kernel/addresses/address-registry.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import type { Approval } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { asksAuthority } from "../../model/outbound.ts";
import type { AuthorityRecord } from "../../model/people.ts";
import { askAboutChange } from "../approvals/ask.ts";
import { voidUndecidable } from "../approvals/decide.ts";
import { endGrantsWithoutAuthority } from "../oauth-grants/end.ts";
import { tellOfKeysLeft } from "./recovered-keys.ts";

const PAGE = 200;

/** A person's request for authority; without an inbox, over the whole account. */
export interface AuthorityRequest {
  email: string;
  account_id: string;
  inbox_id: string | null;
}

/**
 * Requests authority. The first outside address of an account becomes its account owner at once; whoever already has
 * the authority gets it back; for everybody else who is known there the account owners are asked. Fails with
 * `account_not_found` for others, `inbox_not_found`, or as requesting an approval does.
 */
export async function requestAuthority(
  services: Services,
  { email, account_id, inbox_id }: AuthorityRequest,
  now: Date,
): Promise<AuthorityRecord | Approval> {
  if (!(await isOutside(services, services.storage, email)))
    throw fail("account_not_found", { param: "account_id" });
  if ((await services.storage.get("accounts", account_id)) === undefined)
    throw notFound("account_not_found", "acct", account_id);
  return unitOfWork(services, account_id, now, async (work) => {
    if (inbox_id === null) {
      const charge = await takeCharge(services, work, { account_id, email }, now);
      if (charge !== undefined) return charge;
    }
    const held = (await authoritiesOver(services, work, { account_id, inbox_id })).find(
      (authority) => authority.email === email,
    );
    if (held !== undefined) return held;
    const inbox = await inboxToAskFrom(services, work, { email, account_id, inbox_id });
    const over = inbox_id === null ? "the whole account" : inbox.email;
    return askAboutChange(
      services,
      work,
      inbox,
      {
        subject_type: "authority_grant",
        subject_id: inbox_id ?? account_id,
        change: { email, over, ...(inbox_id === null ? {} : { inbox_id }) },
      },
      now,
    );
  });
}

/** The inbox whose letters ask for a person: the one that they name, else one of theirs. */
async function inboxToAskFrom(
  own: Pick<Services, "options">,
  work: Work,
  { email, account_id, inbox_id }: AuthorityRequest,
): Promise<InboxRecord> {
  const owned = (
    await work.find("owners", { where: { email }, order: { by: "id", direction: "asc" }, limit: PAGE })
  ).filter((owner) => owner.account_id === account_id && owner.status === "verified");
  const authorities = (await authoritiesOf(own, work, email)).filter(
    (authority) => authority.account_id === account_id,
  );
  const { noted } = await decidersOver(own, work, { account_id, inbox_id: null });
  if (owned.length === 0 && authorities.length === 0 && noted !== email)
    throw notFound("account_not_found", "acct", account_id);
  const named =
    inbox_id ?? [...owned, ...authorities].map((each) => each.inbox_id).find((id) => id !== null) ?? "";
  const inbox = await work.get("inboxes", named);
  if (inbox?.account_id !== account_id) throw notFound("inbox_not_found", "inb", named);
  return inbox;
}

/** Gives a person authority, in the caller's transaction. Giving it again changes nothing. */
export async function giveAuthority(
  { makeId, options }: Pick<Services, "makeId" | "options">,
  work: Work,
  { email, account_id, inbox_id, given_by }: AuthorityRequest & { given_by: string },
  now: Date,
): Promise<AuthorityRecord> {
  const all = await authoritiesOver({ options }, work, { account_id, inbox_id });
  const held = all.find((each) => each.email === email && each.inbox_id === inbox_id);
  if (held !== undefined) return held;
  const authority: AuthorityRecord = {
    id: makeId("aut"),
    account_id,
    inbox_id,
    email,
    since: iso(now),
    given_by,
    passkeys_off_at: null,
  };
  await takeForPerson({ options }, work, email, now);
  work.append("authorities", [authority]);
  return authority;
}

/**
 * Ends an authority. Sessions lose it at once, because they check it at each call; in the same transaction the grants
 * that rested on it end, and approvals that nobody can decide any more are cancelled. Fails with `owner_required` for
 * the last account owner while an inbox is in approval mode.
 */
export async function endAuthority(services: Services, authority: AuthorityRecord, now: Date): Promise<void> {
  const { id, account_id, inbox_id, email } = authority;
  await unitOfWork(services, account_id, now, async (work) => {
    const left = inbox_id === null ? await leftWithoutOwner(services, work, authority) : [];
    if (left.length > 0)
      throw fail("owner_required", {
        message: `This is the last account owner, and these inboxes ask one about their mail: ${inWords(left)}.`,
        fix: "Give another person authority over the account first, or let these inboxes send directly.",
      });
    await work.delete("authorities", { id });
    await endPersons(work, [email]);
    if (inbox_id === null) await endExportsOf(work, authority, now);
    await endGrantsWithoutAuthority(services, work, email, now);
    await voidUndecidable(services, work, account_id, now);
    await checkForwardings(work, account_id, email);
    await tellOfKeysLeft(services, work, authority);
  });
  if (inbox_id !== null) return;
  // Each event goes to the feed of its own account.
  for (const each of await subAccountsOf(services.storage, account_id))
    await unitOfWork(services, each, now, async (work) => {
      await endExportsOf(work, { account_id: each, email }, now);
      await voidUndecidable(services, work, each, now);
      await checkForwardings(work, each, email);
    });
}

/** Has the forwardings looked at that a person allowed who has just lost authority. */
async function checkForwardings(work: Work, account_id: string, email: string): Promise<void> {
  const where = { account_id, status: "verified" as const };
  let after = "";
  for (;;) {
    const found = await work.find("forwardings", {
      where: { ...where, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    for (const { id, decided_by } of found)
      if (decided_by === email) work.job({ kind: "forwarding.check", subject_id: id });
    const last = found.at(-1);
    if (last === undefined || found.length < PAGE) return;
    after = last.id;
  }
}

/** The inboxes that ask about their mail and would be left without an account owner, with those of workspaces. */
async function leftWithoutOwner(
  own: Pick<Services, "options">,
  work: Work,
  { id, account_id }: AuthorityRecord,
): Promise<string[]> {
  const owners = await authoritiesOver(own, work, { account_id, inbox_id: null });
  if (owners.some((owner) => owner.id !== id)) return [];
  const left: string[] = [];
  for (const each of [account_id, ...(await subAccountsOf(work, account_id))])
    left.push(...(await askingInboxes(work, each)));
  return left;
}

async function askingInboxes(work: Work, account_id: string): Promise<string[]> {
  const left: string[] = [];
  let after = "";
  for (;;) {
    const inboxes: InboxRecord[] = await work.find("inboxes", {
      where: { account_id, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    left.push(...inboxes.filter(asksAuthority).map((inbox) => inbox.id));
    const last = inboxes.at(-1);
    if (last === undefined || inboxes.length < PAGE) return left;
    after = last.id;
  }
}
