import { behind, edit, type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const rules = `${core}/approvals/rules.ts`;

/** The owners' control over what their agents send, and their pages. */
export const owners: Guard[] = [
  guard(
    "the secrets of letters are taken out of inbound mail",
    [`${core}/mail/read-mail.ts`, "return all.length === 0 ? null : { mail, secrets: all };", "return null;"],
    [`${core}/inbound/letter-secrets.test.ts`, "quoted by a stranger"],
  ),
  guard(
    "the decoded words of a mail are searched for secrets",
    [`${core}/mail/read-mail.ts`, "|| !mayHoldSecrets(read)", "|| true"],
    [`${core}/mail/read-mail.test.ts`, "only the decoded text shows"],
  ),
  guard(
    "secrets that quote marks and line breaks split are found",
    [
      `${core}/mail/letter-words/find-words.ts`,
      "if (gap === undefined || cost > MAX_BREAK_COST) return undefined;",
      "return undefined;",
    ],
    [`${core}/inbound/letter-secrets.test.ts`, "broken over quoted lines"],
  ),
  guard(
    "nested mails are searched",
    [`${core}/mail/letter-words/strike.ts`, "isMail(attachment) && depth < MAX_NESTING", "false"],
    [`${core}/inbound/letter-secrets.test.ts`, "in a nested mail and in a text file"],
  ),
  guard(
    "a link that came back in a mail doesn't act alone",
    [`${core}/kernel/letter-token.ts`, 'throw fail("session_required");'],
    [`${core}/inbound/letter-secrets.test.ts`, "quoted by a stranger"],
  ),
  guard(
    "injected mail strikes no link",
    [`${core}/inbound/remove-secrets.ts`, 'origin !== "injected" && ids.length > 0', "ids.length > 0"],
    [`${core}/inbound/letter-secrets.test.ts`, "through the injector"],
  ),
  guard(
    "links of mail that answers a letter are removed",
    [
      `${core}/inbound/remove-secrets.ts`,
      "const linkless = holds_letter",
      "const linkless = false as boolean",
    ],
    [`${core}/inbound/letter-secrets.test.ts`, "reaches the agent without the letter's links"],
  ),
  guard(
    "an automatic reply to a letter is dropped",
    [`${core}/inbound/receive.ts`, "if (strong !== null || weak !== null)", "if (false as boolean)"],
    [`${core}/inbound/letter-secrets.test.ts`, "that is automatic"],
  ),
  guard(
    "a live code in its reader's mail is removed",
    [
      `${core}/inbound/remove-secrets.ts`,
      'return { mail: await workOnContent(services.contentWorker, "removeCodes", mail), changed: true };',
      "return { mail, changed: false };",
    ],
    [`${core}/inbound/letter-secrets.test.ts`, "that lives is removed"],
  ),
  guard(
    "callers can't give a letter's reply address",
    [`${core}/messages/inputs.ts`, '!/^"?r\\+[a-z2-7]{26}"?@/i.test(address)', "address !== null"],
    [`${core}/inbound/letter-secrets.test.ts`, "can't write to a letter's reply address"],
  ),
  guard(
    "callers can't answer a letter by its Message-ID",
    [
      `${core}/sending/answered.ts`,
      'if (letter !== undefined) throw fail("invalid_header", { param: "in_reply_to" });',
    ],
    [`${core}/inbound/letter-secrets.test.ts`, "can't write to a letter's reply address"],
  ),
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
    [rules, "owner.verified_at <= asked.requested_at && is_outside", "is_outside"],
    [`${core}/approvals/rules.test.ts`, "who was verified before"],
  ),
  guard(
    "an owner at an address that an agent could control can't decide",
    [rules, " && is_outside"],
    [`${core}/approvals/rules.test.ts`, "who was verified before"],
  ),
  guard(
    "an owner at this service's own domain never counts as outside, however the domain is written",
    [
      `${core}/kernel/inbox-domain.ts`,
      "isOutsideDomain(own, reader, domainOf(canonical));",
      'isOutsideDomain(own, reader, address.slice(address.lastIndexOf("@") + 1));',
    ],
    [`${core}/owners/rules.test.ts`, "is outside mail.test"],
  ),
  guard(
    "an owner below this service's own domain doesn't count as outside",
    [`${core}/kernel/inbox-domain.ts`, " || domain.endsWith(`.${own}`)"],
    [`${core}/owners/rules.test.ts`, "is outside mail.test"],
  ),
  guard(
    "an owner at this service's own domain stays pending",
    [
      `${core}/owners/confirm.ts`,
      'if (!(await isOutside(services, services.storage, owner.email))) throw fail("confirm_invalid");',
    ],
    [`${core}/owners/authority.test.ts`, "stays pending even with the right code"],
  ),
  guard(
    "a person's address can't become an inbox",
    [
      `${core}/inboxes/create.ts`,
      'if (await isPersonsAddress(tx, email)) throw fail("username_taken", { param: "username" });',
    ],
    [`${core}/inboxes/inboxes.test.ts`, "address away"],
  ),
  guard(
    "a letter that only looks like an owner's is another letter",
    [`${core}/model/address.ts`, "BECOMES_ASCII.test(text) || "],
    [`${core}/addresses.test.ts`, "only looks like the owner's"],
  ),
  guard(
    "a malformed address never stands for a well-formed one",
    [
      `${core}/model/address.ts`,
      "return `${asciiLowerCase(text.slice(0, at + 1))}",
      "return `${text.slice(0, at + 1).toLowerCase()}",
    ],
    [`${core}/model/address.test.ts`],
  ),
  behind(
    guard(
      "two spellings of one mailbox are one owner",
      [
        `${core}/owners/operations.ts`,
        "where: { inbox_id: inbox.id, email: addressKey(email) },\n          limit: 1",
        "where: { inbox_id: inbox.id, email }, limit: 1",
      ],
      [`${core}/addresses.test.ts`, "for owners"],
    ),
    edit(`${core}/owners/invite.ts`, "const email = addressKey(named);", "const email = named;"),
  ),
  guard(
    "the service doesn't start while an inbox holds one of its own addresses",
    ["packages/server/src/process/run.ts", "await checkServiceAddresses(service);"],
    ["packages/server/src/process/main.test.ts", "doesn't start while an inbox holds"],
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
    [`${core}/inbound/rules.ts`, "    facts.authenticated &&\n    facts.origin", "    facts.origin"],
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
      'confirmPage(await call(c, "owners.confirm", { token })',
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
    [`${core}/mail/outgoing-html/characters.ts`, "(hidden) => `[U+", "(hidden) => hidden || `[U+"],
    ["packages/server/src/pages/approvals.test.ts", "direction-changing characters"],
  ),
  guard(
    "a letter's link is not readable in storage",
    [`${core}/owners/invite.ts`, "link_hash: hashSecret(link_token)", "link_hash: link_token"],
    [`${core}/owners/authority.test.ts`, "nor is it in storage"],
  ),
];
