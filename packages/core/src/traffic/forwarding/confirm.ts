import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import type { Caller } from "../../kernel/access/caller.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { findLetterSecret } from "../../kernel/letters/letter-secrets.ts";
import { checkActsAlone, type LetterSubjects } from "../../kernel/letters/letter-token.ts";
import { sameSecret } from "../../kernel/secrets.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import type { ApprovalRecord, ReasonRecord } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import { Forwarding, type ForwardingRecord } from "../../model/forwardings.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { askAboutChange, asksForPasskey, recordDecision } from "../../owners/approvals/index.ts";
import { judgeLeaving } from "../gate/index.ts";
import { noteForwards } from "./end.ts";
import { codeHash } from "./letter.ts";
import { checkCodeOpen, codesUsedUp, wrongCode } from "./rules.ts";

/** The forwarding of a letter's link, and its secret. Fails with `confirm_invalid`. */
export async function forwardingByToken(
  services: Pick<Services, "storage">,
  token: string,
  now: Date,
): Promise<LetterSubjects["forwarding"]> {
  const { storage } = services;
  const secret = await findLetterSecret({ storage }, token, ["forward"], now);
  // Of several letters only the newest confirms.
  const [forwarding] =
    secret === undefined
      ? []
      : await storage.find("forwardings", { where: { link_hash: secret.hash }, limit: 1 });
  const inbox = forwarding && (await storage.get("inboxes", forwarding.inbox_id));
  if (secret === undefined || forwarding === undefined || inbox === undefined)
    throw fail("confirm_invalid", { param: "token" });
  return { secret, forwarding, inbox };
}

/**
 * Confirms, by the code of its letter, that a mailbox wants to be forwarded to, and asks a person in charge. What somebody
 * in charge asked for in their session is decided by that. Each try is counted before its code is compared, and a right
 * one doesn't count. Repeating it returns the present state. Fails with `session_required`,
 * `forwarding_code_invalid`, `confirm_locked`, or as asking does.
 */
export async function confirmForwarding(
  services: Services,
  { secret, forwarding, inbox }: LetterSubjects["forwarding"],
  code: string,
  caller: Caller,
  now: Date,
): Promise<ForwardingRecord> {
  const { id, account_id, email, code_hash, link_hash } = forwarding;
  checkActsAlone(secret, caller);
  if (forwarding.status === "verified" || forwarding.confirmed_at !== null) return forwarding;
  checkCodeOpen(forwarding);
  const counted = await services.storage.update(
    "forwardings",
    { id, code_tries: { lt: LIMITS.forwarding_code_tries } },
    { code_tries: { add: 1 } },
  );
  if (counted.length === 0) throw codesUsedUp();
  if (code_hash === null || !sameSecret(services.seal.open(code_hash), codeHash(id, code))) throw wrongCode();
  if (!(await isOutside(services, services.storage, email))) throw wrongCode();
  // At once: what fails later is no wrong code.
  await services.storage.update("forwardings", { id, link_hash }, { code_tries: { add: -1 } });
  const reasons = await reasonsFor(services, inbox, forwarding, now);
  return unitOfWork(services, account_id, now, async (work) => {
    const [confirmed] = await work.update(
      "forwardings",
      { id, status: "pending", confirmed_at: null, link_hash },
      { confirmed_at: iso(now), code_hash: null },
    );
    if (confirmed === undefined) {
      // Of two presses the other one came first.
      const present = await work.get("forwardings", id);
      if (present?.link_hash === link_hash && present.confirmed_at !== null) return present;
      throw wrongCode();
    }
    return decideOrAsk(services, work, { forwarding: confirmed, reasons }, now);
  });
}

/** Has a forwarding decided: by who asked for it, if they have charge, else by those who have. */
async function decideOrAsk(
  services: Services,
  work: Work,
  { forwarding, reasons }: { forwarding: ForwardingRecord; reasons: readonly ReasonRecord[] },
  now: Date,
): Promise<ForwardingRecord> {
  const { id, account_id, inbox_id, asked_by, asked_by_person: person } = forwarding;
  const inbox = await work.get("inboxes", inbox_id);
  if (inbox === undefined) throw fail("confirm_invalid", { param: "token" });
  const change = await changeOf(work, forwarding);
  const asked = { subject_type: "forwarding_add" as const, subject_id: inbox_id, change };
  const in_charge = await authoritiesOver(services, work, { account_id, inbox_id });
  if (person !== null && in_charge.some(({ email }) => email === person) && !asksForPasskey(inbox)) {
    await recordDecision(services, work, inbox, { ...asked, email: person }, now);
    return (await verify(work, forwarding, person, now)) ?? forwarding;
  }
  const approval = await askAboutChange(services, work, inbox, asked, now, { reasons, asked_by });
  const [waiting] = await work.update("forwardings", { id }, { approval_id: approval.id });
  return waiting ?? forwarding;
}

/** What a person decides about. */
async function changeOf(
  work: Work,
  { email, everything, asked_by, asked_by_person }: ForwardingRecord,
): Promise<Record<string, string>> {
  const key = asked_by?.key_id == null ? undefined : await work.get("keys", asked_by.key_id);
  const asker =
    asked_by_person ??
    asked_by?.client_id ??
    (key === undefined ? "a key that is gone" : `the key ${JSON.stringify(key.name)}`);
  return { email, everything: String(everything), asked_by: asker };
}

/** Why a person is asked: what the address would get, and what speaks against it. */
async function reasonsFor(
  services: Services,
  inbox: InboxRecord,
  { email, everything }: ForwardingRecord,
  now: Date,
): Promise<ReasonRecord[]> {
  const asking = { ...services, inbox, now };
  const leaving = { way: "mail" as const, to: [email], cc: [], bcc: [], text: "", html: undefined };
  const { reasons, findings } = await judgeLeaving(asking, leaving);
  const ofAddress = ({ code }: { code: string }) =>
    code === "untrusted_recipient" || code === "new_recipient";
  const known = reasons.filter(ofAddress);
  const others = (findings ?? []).filter(
    (finding) => ofAddress(finding) && !known.some(({ code }) => code === finding.code),
  );
  const what = everything ? "forwarding_everything" : "forwarding_chosen";
  return [...known, ...others, { code: what, detail: email }];
}

/**
 * Begins to forward, as a person approved it, in the caller's transaction. A forwarding that was deleted since, or asked
 * for anew, stays as it is.
 */
export async function applyForwarding(
  _services: Services,
  work: Work,
  { id, decided_by }: Pick<ApprovalRecord, "id" | "decided_by">,
  now: Date,
): Promise<void> {
  const [forwarding] = await work.find("forwardings", { where: { approval_id: id }, limit: 1 });
  if (forwarding !== undefined && decided_by !== null) await verify(work, forwarding, decided_by.email, now);
}

async function verify(
  work: Work,
  { id, inbox_id }: ForwardingRecord,
  decided_by: string,
  now: Date,
): Promise<ForwardingRecord | undefined> {
  const [verified] = await work.update(
    "forwardings",
    { id, status: "pending" },
    { status: "verified", verified_at: iso(now), decided_by },
  );
  if (verified === undefined) return undefined;
  await noteForwards(work, inbox_id);
  work.publish({
    type: "forwarding.verified",
    inbox_id,
    data: { forwarding: Forwarding.parse(verified) },
  });
  return verified;
}
