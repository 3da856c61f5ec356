import { behind, edit, type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const rules = `${core}/approvals/rules.ts`;

/** The owners' control over what their agents send, and their pages. */
export const owners: Guard[] = [
  guard(
    "an API key can't decide, answer or choose for an owner",
    [
      `${core}/kernel/gate.ts`,
      'throw fail(AGENTS.some((type) => type === caller.type) ? "owner_only" : "key_only");',
    ],
    [`${core}/owners/authority.test.ts`, "a key opens none of the owner's pages"],
  ),
  guard(
    "in approval mode nothing is sent without approval",
    [`${core}/sending/drafts/send-now.ts`, 'inbox.send_mode === "approval" && !approved', "false"],
    [`${core}/approvals/approvals.test.ts`],
  ),
  guard(
    "an owner added after the request can't decide",
    [rules, "owner.verified_at <= asked.requested_at && isOutside", "isOutside"],
    [`${core}/approvals/rules.test.ts`, "who was verified before"],
  ),
  guard(
    "an owner at an address that an agent could control can't decide",
    [rules, " && isOutside(own, owner.email)"],
    [`${core}/approvals/rules.test.ts`, "who was verified before"],
  ),
  guard(
    "an approval is valid only for the mail that was shown",
    [
      `${core}/approvals/decide.ts`,
      "draft !== undefined && mailDigest(inbox, draft) === digest",
      "draft !== undefined",
    ],
    [`${core}/approvals/approvals.test.ts`, "a name put on the inbox"],
  ),
  guard(
    "mail approved for later is sent as approved",
    [
      rules,
      'approval.status === "approved" &&\n    approval.digest === digest',
      'approval.status === "approved"',
    ],
    [rules.replace(".ts", ".test.ts")],
  ),
  behind(
    guard(
      "a decided approval stays decided",
      [rules, 'status === "pending" && expires_at > now', "expires_at > now"],
      [`${core}/approvals/approvals.test.ts`, "of many decisions at once one counts"],
    ),
    edit(`${core}/approvals/end.ts`, '{ id, status: "pending" },', "{ id },"),
  ),
  guard(
    "a draft that changes while being sent is not sent",
    [
      `${core}/sending/drafts/send-now.ts`,
      'if (mailDigest(inbox, current) !== mailDigest(inbox, before)) throw fail("draft_changed");',
    ],
    [`${core}/sending/drafts/drafts.test.ts`, "changed between the check and the send"],
  ),
  guard(
    "a mail counts as an owner's only if it is authenticated",
    [`${core}/inbound/rules.ts`, "    facts.owner &&\n    facts.authenticated &&", "    facts.owner &&"],
    [`${core}/owners/authority.test.ts`, "a forged mail makes an untrusted task at most"],
  ),
  guard(
    "opening an approval link decides nothing",
    [
      "packages/server/src/pages/approvals.ts",
      '"approvals.review", { token });',
      '"approvals.decide", { token, decision: "approve" });',
    ],
    ["packages/server/src/pages/approvals.test.ts", "decides nothing"],
  ),
  guard(
    "opening a link in a letter changes nothing",
    [
      "packages/server/src/pages/token-pages.ts",
      "callPublic<S>(c, state, show, { token })",
      "callPublic<S>(c, state, act, { token })",
    ],
    ["packages/server/src/pages/letter-pages.test.ts", "is filled in, and sends no answer"],
  ),
  guard(
    "opening a confirmation link confirms nothing",
    [
      "packages/server/src/pages/owners.ts",
      'confirmPage(await call(c, "owners.confirmation", { token })',
      'confirmPage(await call(c, "owners.confirmPublic", { token })',
    ],
    ["packages/server/src/pages/owners.test.ts", "confirms nothing"],
  ),
  guard(
    "a page runs no scripts and can't be framed",
    [
      "packages/server/src/pages/layout.ts",
      "default-src 'none'; style-src",
      "style-src",
      "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "",
    ],
    ["packages/server/src/pages/owners.test.ts", "every owner page"],
  ),
  guard(
    "a page makes hidden characters visible",
    ["packages/server/src/pages/approval-markup.ts", "return `[U+", "return hidden || `[U+"],
    ["packages/server/src/pages/approvals.test.ts", "direction-changing characters"],
  ),
  guard(
    "a letter's link is not readable in storage",
    [`${core}/owners/invite.ts`, "link_hash: hashSecret(link_token)", "link_hash: link_token"],
    [`${core}/owners/authority.test.ts`, "nor is it in storage"],
  ),
];
