import { behind, edit, type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const server = "packages/server/src";
const tests = `${core}/people/people.test.ts`;
const http = `${server}/http/sessions.test.ts`;
const consent = "test/oauth-consent.test.ts";
const recovery = `${core}/recovery/recovery.test.ts`;

/** A person's session, and their authority over an account. */
export const people: Guard[] = [
  guard(
    "a letter's link alone decides nothing",
    [
      `${core}/approvals/operations.ts`,
      'if (signedIn(ctx.caller).email !== email) throw fail("session_required");',
    ],
    [`${core}/approvals/authority.test.ts`, "the link alone decides nothing"],
  ),
  guard(
    "only who has authority decides",
    [`${core}/approvals/decide.ts`, 'if (!emails.includes(email)) return "not_theirs";'],
    [`${core}/approvals/authority.test.ts`, "another verified owner reads"],
  ),
  guard(
    "only the first address of an account takes charge of it",
    [`${core}/kernel/authority.ts`, "if (noted !== email) return undefined;"],
    [tests, "takes charge, and no other"],
  ),
  guard(
    "the first address stays the first",
    [`${core}/owners/confirm.ts`, "{ ...whole, first_owner_email: null },", "whole,"],
    [tests, "doesn't change who is first"],
  ),
  guard(
    "another site can't act with a person's cookie",
    [`${server}/request/session.ts`, 'if (!same) throw fail("cross_site_request");'],
    [http, "changes nothing for another site"],
  ),
  guard(
    "a session that ended opens nothing",
    [
      `${core}/people/session.ts`,
      "if (session === undefined || session.expires_at <= iso(now)) return undefined;",
      "if (session === undefined) return undefined;",
    ],
    ["test/proofs/credentials.test.ts", "a session that wasn't used for 30 days"],
  ),
  guard(
    "no script reads a session",
    [`${server}/request/session.ts`, "; HttpOnly; SameSite=Lax", "; SameSite=Lax"],
    [http, "lives in a cookie"],
  ),
  guard(
    "a code is good only with its challenge, and only for so many tries",
    [`${core}/people/sign-in.ts`, "tries: { lt: LIMITS.session_code_tries }", "tries: { lt: 1_000 }"],
    [tests, "after five tries"],
  ),
  guard(
    "codes of one address can't be guessed over many challenges",
    [`${core}/people/sign-in.ts`, "!within || code_hash === null", "code_hash === null"],
    [tests, "after twenty wrong codes"],
  ),
  guard(
    "a session signs in once per letter",
    [
      `${core}/people/sign-in.ts`,
      'if ((await storage.delete("session_challenges", { id: challenge.id })) === 0) throw invalid();',
    ],
    [tests, "the code signs in, once"],
  ),
  guard(
    "an owner of one inbox has no part in keys and webhooks",
    [`${core}/people/caller.ts`, "account_owner ? null : INBOX_OWNER_PERMISSIONS", "null"],
    [tests, "reaches that inbox alone"],
  ),
  guard(
    "a person reaches no other account",
    [
      `${core}/people/caller.ts`,
      'if (account_owner === undefined) throw fail("account_not_found", { param: "X-Letterslot-Account" });',
    ],
    [tests, "another's is not found"],
  ),
  guard(
    "an inbox with an authority of its own ends only by its held deletion",
    [`${core}/sweep.ts`, " || (await needsApprovalToEnd(storage, inbox))"],
    [tests, "ends only by its held deletion"],
  ),
  behind(
    guard(
      "an address of this service never has authority",
      [
        `${core}/people/authority.ts`,
        'if (!(await isOutside(services, services.storage, email)))\n    throw fail("account_not_found", { param: "account_id" });',
      ],
      [tests, "an address of this service never has authority"],
    ),
    edit(
      `${core}/accounts/operator.ts`,
      "email === undefined || !(await isOutside(services, services.storage, email))",
      "email === undefined",
    ),
  ),
  guard(
    "a person's session revokes a key with all that descend from it",
    [
      `${core}/accounts/keys/operations.ts`,
      "const keys_revoked = await ctx.transaction((work) => revokeWithDescendants(work, key, ctx.now));",
      'const { length: keys_revoked } = await ctx.storage.update("keys", { id: key_id }, { revoked_at: iso(ctx.now) });',
    ],
    [`${core}/accounts/keys/keys.test.ts`, "takes all keys along"],
  ),
  guard(
    "a change by a letter's link is written to the owner",
    [`${core}/owners/choose-style.ts`, "if (!in_session) await tellOfChange(services, work, owner, now);"],
    [`${core}/owners/style.test.ts`, "says by letter what was changed"],
  ),
  guard(
    "leaving the updates by a letter's link is written to the owner",
    [
      `${core}/owners/unsubscribe.ts`,
      "if (left && !in_session) await confirmEnd(services, work, { inbox, owner, now, thread: null });",
    ],
    [`${core}/owners/style.test.ts`, "says by letter what was changed"],
  ),
  guard(
    "a confirmation link that came back in a mail confirms nothing alone",
    [`${core}/owners/confirm.ts`, "checkActsAlone(secret, caller);"],
    [tests, "confirms nothing alone"],
  ),
  guard(
    "a confirmation link's page mails a code to its own address alone",
    [`${core}/people/send-sign-in-letter.ts`, "owner?.email === email && ", "owner !== undefined && "],
    [tests, "gets nobody else a code"],
  ),
  guard(
    "a recipient isn't suppressed for what a bounce says of another",
    [
      `${core}/mail/reports/read-delivery.ts`,
      'own ?? (only || plain.said.length === 0 ? plain.words : "")',
      "own ?? plain.words",
    ],
    [`${core}/mail/reports/read-report.test.ts`, "nothing that the prose says of another"],
  ),
  guard(
    "a recipient isn't suppressed for what a bounce in prose says of another",
    [
      `${core}/mail/reports/read-delivery.ts`,
      "said.length === 1 ? plain.words : prefaceOf(plain)",
      "plain.words",
    ],
    [`${core}/mail/reports/read-report.test.ts`, "that says why of one recipient"],
  ),
  guard(
    "a mailbox that a bounce says is there isn't suppressed",
    [`${core}/mail/reports/classify.ts`, 'if (/^\\d\\.2\\./.test(status ?? "")) return true;'],
    [`${core}/mail/reports/classify.test.ts`, "a status about the mailbox"],
  ),
  guard(
    "a bounce of a letter to an owner suppresses nobody",
    [`${core}/bounces/record-report.ts`, "if (await isForOwner(work, current)) {", "if (false) {"],
    [`${core}/bounces/bounces.test.ts`, "suppresses nobody"],
  ),
  guard(
    "a display name holds neither line breaks nor encoded words",
    [
      `${core}/model/mailbox.ts`,
      'if (FORBIDDEN.test(text) || text.includes("=?") || !text.isWellFormed()) return undefined;',
    ],
    [`${core}/sending/display-names.test.ts`, "is refused at every door"],
  ),
  guard(
    "an approval is bound to the display names",
    [
      `${core}/approvals/rules.ts`,
      "...(Object.keys(draft.names).length === 0 ? {} : { names: draft.names }),",
    ],
    [`${core}/sending/display-names.test.ts`, "approval is bound to them"],
  ),
  guard(
    "a recovery's link needs the session of the mailbox that it was mailed to",
    [`${core}/recovery/operations.ts`, 'if (caller.email !== found.email) throw fail("session_required");'],
    [recovery, "needs a sign-in made within ten minutes"],
  ),
  guard(
    "a recovery's link needs a recent sign-in",
    [`${core}/recovery/operations.ts`, " || !isRecent(session, ctx.now)"],
    [recovery, "needs a sign-in made within ten minutes"],
  ),
  guard(
    "a recovery's link works once",
    [
      `${core}/recovery/recover-key.ts`,
      `if ((await work.delete("recoveries", { id: recovery_id })) === 0)
      throw fail("recovery_invalid", { param: "token" });`,
    ],
    [recovery, "of two calls at once"],
  ),
  guard(
    "only the newest of a person's recovery links works",
    [`${core}/recovery/rules.ts`, " && newer.every(({ link_hash }) => link_hash === null)"],
    [recovery, "after a newer link"],
  ),
  guard(
    "only people with authority are mailed a recovery's link, and never at an address of this service",
    [
      `${core}/recovery/send-recovery-letter.ts`,
      "if ((await authoritiesOf(services, storage, email)).length === 0) return endJob(storage, job);",
    ],
    [recovery, "brings nothing to somebody with ownership alone"],
  ),
  guard(
    "no key or app recovers a key",
    [`${core}/recovery/operations.ts`, "callers: SIGNED_IN,"],
    [recovery, "needs a sign-in made within ten minutes"],
  ),
  guard(
    "those in charge learn which recovered keys a person leaves behind",
    [`${core}/people/authority.ts`, "await tellOfKeysLeft(services, work, authority);"],
    [recovery, "lists the keys that its person recovered"],
  ),
  guard(
    "a form that was made for another session lets no app in",
    [
      `${server}/pages/consent.ts`,
      'if (form["session"] !== person.session_id) return showConsent(c, state, ANOTHER_SESSION);',
    ],
    [consent, "an answer counts once"],
  ),
  guard(
    "an app is let in only from this site's own form",
    [`${server}/pages/consent.ts`, "checkSameSite(c, state);"],
    [consent, "its form only for its own site"],
  ),
  guard(
    "a code for newcomers goes to no address inside the service",
    [
      `${core}/people/send-sign-in-letter.ts`,
      'newcomers === true && options.onboarding !== "closed" && (await isOutside(services, storage, email))',
      'newcomers === true && options.onboarding !== "closed"',
    ],
    [tests, "goes to no address inside the service"],
  ),
  guard(
    "a code for newcomers goes to nothing that is no address",
    [`${core}/people/start-session.ts`, 'throw fail("invalid_address", { param: "email" });', "undefined;"],
    [tests, "goes to nothing that is no address"],
  ),
  guard(
    "codes for newcomers have the limits of confirmation letters",
    [
      `${core}/people/start-session.ts`,
      "if (request.newcomers === true) await countConfirmationLetter(storage, email, ip, now);",
    ],
    [tests, "five an hour from one network"],
  ),
];
