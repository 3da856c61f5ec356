import { behind, edit, type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const server = "packages/server/src";
const tests = `${core}/people/people.test.ts`;
const http = `${server}/http/sessions.test.ts`;

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
    [`${core}/owners/confirm.ts`, "{ id: account_id, first_owner_email: null },", "{ id: account_id },"],
    [tests, "doesn't change who is first"],
  ),
  guard(
    "another site can't act with a person's cookie",
    [`${server}/request/session.ts`, 'if (!same) throw fail("cross_site_request");'],
    [http, "changes nothing for another site"],
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
        'if (!isOutside(services, email)) throw fail("account_not_found", { param: "account_id" });',
      ],
      [tests, "an address of this service never has authority"],
    ),
    edit(
      `${core}/accounts/operator.ts`,
      "email === undefined || !isOutside(services, email)",
      "email === undefined",
    ),
  ),
];
