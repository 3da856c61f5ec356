import type { Guard } from "./guard.ts";

/** No agent becomes, or speaks as, a person: addresses, letters and their codes, authority, apps. */
export const agentIsNotOwner: readonly Guard[] = [
  // An address is a person's or an inbox's, never both
  {
    name: "an inbox of this service is no person, whatever its address",
    out: [
      [
        "packages/core/src/traffic/inbound/sender/look-up-sender.ts",
        'const owner = proof.kind === "inbox" ? undefined : stated.owner;',
        "const owner = stated.owner;",
      ],
    ],
    test: ["packages/core/src/who-an-address-is.test.ts", "is no order of the person"],
  },
  {
    name: "an inbox's address is no person's",
    out: [
      [
        "packages/core/src/kernel/addresses/address-registry.ts",
        'if (await isBarred(own, tx, record)) throw fail("address_is_inbox");',
      ],
    ],
    test: ["packages/core/src/races-for-an-address.test.ts", "one gets it"],
  },
  {
    name: "a person's address is no inbox's",
    out: [
      [
        "packages/core/src/kernel/addresses/address-registry.ts",
        'account_id === null || (kind !== "retired" && kind !== "inbox")',
        "account_id === null",
      ],
      [
        "packages/core/src/kernel/addresses/address-registry.ts",
        'kind === "retired" && account_id === taken.account_id',
        "account_id === taken.account_id",
      ],
    ],
    test: ["packages/core/src/who-an-address-is.test.ts", "by a new invitation"],
  },
  {
    name: "mail is forwarded nowhere before a person in charge has decided it",
    out: [
      [
        "packages/core/src/traffic/forwarding/confirm.ts",
        "person !== null && in_charge.some(({ email }) => email === person)",
        "in_charge.length > 0",
      ],
    ],
    test: ["packages/core/src/traffic/forwarding/forwarding.test.ts", "gets nowhere without a person"],
  },
  {
    name: "a canary doesn't leave with a mail",
    out: [
      [
        "packages/core/src/traffic/gate/pass.ts",
        '...(canaries.length === 0 ? {} : { tripped: fail("canary_leaked") }),',
        "",
      ],
    ],
    test: ["packages/core/src/mailbox/canaries/canaries.test.ts", "about to leave"],
  },
  {
    name: "a canary that trips pauses sending, whatever the next mail says",
    out: [
      ["packages/core/src/traffic/gate/rules.ts", "canary: ({ tripped }) => tripped,", "canary: () => null,"],
    ],
    test: ["packages/core/src/mailbox/canaries/canaries.test.ts", "about to leave"],
  },
  {
    name: "only those in charge stop the copies that they get",
    out: [["packages/core/src/account/inboxes/guards/rules.ts", "!endsCopies(before, after.owner_copy) &&"]],
    test: ["packages/core/src/traffic/sending/owner-copies.test.ts", "is turned on by a key"],
  },
  {
    name: "held mail whose release takes a person is deleted for good by a person alone",
    out: [
      [
        "packages/core/src/mailbox/messages/trash/rules.ts",
        'type !== "owner" && release_by === "authority"',
        "false && [type, release_by].length > 0",
      ],
    ],
    test: ["packages/core/src/traffic/inbound/release-by.test.ts", "is deleted for good by a person alone"],
  },
  {
    name: "an inbox in the trash is found by nothing but its restoring and its end",
    out: [
      [
        "packages/core/src/kernel/gate.ts",
        "operation.inbox_in_trash ? await findTrashedInbox(services, caller.account_id, named) : undefined",
        "await findTrashedInbox(services, caller.account_id, named)",
      ],
    ],
    test: ["packages/core/src/account/inboxes/trash.test.ts", "is out of reach"],
  },
  {
    name: "what a person deleted in their session only a person restores",
    out: [
      ["packages/core/src/mailbox/messages/trash/one-message.ts", "checkMayRestore(ctx.caller, trashed);"],
    ],
    test: ["packages/core/src/mailbox/messages/trash/trash.test.ts", "restored by a person alone"],
  },
  {
    name: "a person's address can't become an inbox",
    out: [
      [
        "packages/core/src/kernel/addresses/address-registry.ts",
        'if (!inserted && record.inbox_id !== inbox_id && !(await takeFrom(tx, record, taken, now)))\n    throw fail("username_taken", { param: "username", ...(await fixForTaken(tx, record, account_id)) });',
      ],
    ],
    test: ["packages/core/src/account/inboxes/inboxes.test.ts", "address away"],
  },
  {
    name: "an owner at this service's own domain never counts as outside, however the domain is written",
    out: [
      [
        "packages/core/src/kernel/addresses/inbox-domain.ts",
        "isOutsideDomain(own, reader, domainOf(canonical));",
        'isOutsideDomain(own, reader, address.slice(address.lastIndexOf("@") + 1));',
      ],
    ],
    test: ["packages/core/src/owners/owners/rules.test.ts", "is outside mail.test"],
  },
  {
    name: "a letter that only looks like an owner's is another letter",
    out: [["packages/core/src/model/address.ts", "BECOMES_ASCII.test(text) || "]],
    test: ["packages/core/src/addresses.test.ts", "only looks like the owner's"],
  },
  {
    name: "two spellings of one mailbox are one owner",
    out: [
      [
        "packages/core/src/owners/owners/operations.ts",
        "where: { inbox_id: inbox.id, email: addressKey(email) },\n          limit: 1",
        "where: { inbox_id: inbox.id, email }, limit: 1",
      ],
      [
        "packages/core/src/owners/owners/invite.ts",
        "const email = addressKey(named);",
        "const email = named;",
      ],
    ],
    test: ["packages/core/src/addresses.test.ts", "for owners"],
  },
  {
    name: "an address at a custom domain that receives here isn't outside",
    out: [
      [
        "packages/core/src/kernel/addresses/inbox-domain.ts",
        "custom === undefined || !isReceiving(custom)",
        "true",
      ],
    ],
    test: ["packages/core/src/custom-domain-mail.test.ts", "is a person's who has a say only while"],
  },
  {
    name: "an address is issued anew only to who has proven its domain since",
    out: [
      [
        "packages/core/src/kernel/addresses/address-registry.ts",
        "!is_own && !(await hasLostAddress(tx, { address, account_id }, now))",
        "false",
      ],
    ],
    test: ["packages/core/src/custom-domain-mail.test.ts", "has its username apart"],
  },
  // Authority
  {
    name: "an API key can't decide, answer or choose for an owner",
    out: [
      [
        "packages/core/src/kernel/gate.ts",
        'throw fail(AGENTS.some((type) => type === caller.type) ? "owner_only" : "key_only");',
      ],
    ],
    test: ["packages/core/src/owners/owners/authority.test.ts", "a key opens none of the owner's pages"],
  },
  {
    name: "a letter's link alone decides nothing",
    out: [
      [
        "packages/core/src/owners/approvals/operations.ts",
        'if (signedIn(ctx.caller).email !== email) throw fail("session_required");',
      ],
    ],
    test: ["packages/core/src/owners/approvals/authority.test.ts", "the link alone decides nothing"],
  },
  {
    name: "only who has authority decides",
    out: [
      ["packages/core/src/owners/approvals/decide.ts", 'if (!emails.includes(email)) return "not_theirs";'],
    ],
    test: ["packages/core/src/owners/approvals/authority.test.ts", "another verified owner reads"],
  },
  {
    name: "only the first address of an account takes charge of it",
    out: [["packages/core/src/kernel/access/authority.ts", "if (noted !== email) return undefined;"]],
    test: ["packages/core/src/owners/sessions/people.test.ts", "takes charge, and no other"],
  },
  {
    name: "an address of this service never has authority",
    out: [
      [
        "packages/core/src/owners/sessions/authority.ts",
        'if (!(await isOutside(services, services.storage, email)))\n    throw fail("account_not_found", { param: "account_id" });',
      ],
      [
        "packages/core/src/account/accounts/operator.ts",
        "email === undefined || !(await isOutside(services, services.storage, email))",
        "email === undefined",
      ],
    ],
    test: [
      "packages/core/src/owners/sessions/people.test.ts",
      "an address of this service never has authority",
    ],
  },
  {
    name: "an owner in a workspace claims nothing of the account above",
    out: [
      [
        "packages/core/src/owners/owners/confirm.ts",
        "const whole = { id: account_id, parent_account_id: null };",
        "const whole = { id: account_id };",
      ],
    ],
    test: [
      "packages/core/src/account/workspaces/workspaces.test.ts",
      "the first owner of a workspace is no account owner",
    ],
  },
  // No agent reads a letter's code or link
  {
    name: "every letter is registered before it leaves",
    out: [
      [
        "packages/core/src/owners/sessions/mail-from-no-reply.ts",
        "if (open !== undefined && !(await open(tx))) return false;",
        "if (open === undefined || (await open(tx))) return true;",
      ],
    ],
    test: ["packages/core/src/registered-letters.test.ts", "of the kind sign_in"],
  },
  {
    name: "the secrets of letters are taken out of inbound mail",
    out: [["packages/core/src/mail/read-mail.ts", "return changed ?", "return (false as boolean) ?"]],
    test: ["packages/core/src/traffic/inbound/redaction/letter-secrets.test.ts", "quoted by a stranger"],
  },
  {
    name: "a link that came back in a mail doesn't act alone",
    out: [
      [
        "packages/core/src/kernel/letters/letter-token.ts",
        'if (secret.struck_at !== null && !isReader(caller, secret)) throw fail("session_required");',
      ],
    ],
    test: ["packages/core/src/traffic/inbound/redaction/letter-secrets.test.ts", "quoted by a stranger"],
  },
  {
    name: "links of mail that answers a letter are removed",
    out: [
      [
        "packages/core/src/mail/redaction/clean-mail.ts",
        "visits.push(removingLinks(mail.extraction, quoted))",
        "removingLinks(mail.extraction, quoted)",
      ],
    ],
    test: [
      "packages/core/src/traffic/inbound/redaction/letter-secrets.test.ts",
      "reaches the agent without the letter's links",
    ],
  },
  {
    name: "a live code in its reader's mail is removed",
    out: [
      [
        "packages/core/src/mail/redaction/clean-mail.ts",
        "visits.push(removingCodes(codes))",
        "removingCodes(codes)",
      ],
    ],
    test: ["packages/core/src/traffic/inbound/redaction/letter-secrets.test.ts", "that lives is removed"],
  },
  {
    name: "a letter that comes back is stored as a stub",
    out: [
      [
        "packages/core/src/traffic/inbound/redaction/remove-secrets.ts",
        "if (stub !== undefined) return written(services, stubOf(mail, stub), stub);",
      ],
    ],
    test: [
      "packages/core/src/traffic/inbound/redaction/returned-letters.test.ts",
      "is stored as a stub, and its code is void",
    ],
  },
  {
    name: "a code whose letter comes back is void",
    out: [
      [
        "packages/core/src/traffic/inbound/redaction/live-codes.ts",
        "if (isCodeOf(code, proven)) await voids();",
        "if (false as boolean) await voids();",
      ],
    ],
    test: ["packages/core/src/traffic/inbound/redaction/returned-letters.test.ts", "proven by its link"],
  },
  {
    name: "callers can't give a letter's reply address",
    out: [
      [
        "packages/core/src/mailbox/messages/outgoing/inputs.ts",
        "!isLetterAddress(address)",
        "address !== null",
      ],
    ],
    test: [
      "packages/core/src/traffic/inbound/redaction/letter-secrets.test.ts",
      "can't write to a letter's reply address",
    ],
  },
  {
    name: "a confirmation link that came back in a mail confirms nothing alone",
    out: [["packages/core/src/owners/owners/confirm.ts", "checkActsAlone(secret, caller);"]],
    test: ["packages/core/src/owners/sessions/people.test.ts", "confirms nothing alone"],
  },
  // Codes and links of letters
  {
    name: "a code is good only with its challenge, and only for so many tries",
    out: [
      [
        "packages/core/src/owners/sessions/sign-in.ts",
        "tries: { lt: LIMITS.session_code_tries }",
        "tries: { lt: 1_000 }",
      ],
    ],
    test: ["packages/core/src/owners/sessions/people.test.ts", "after five tries"],
  },
  {
    name: "a code has five attempts, however many are concurrent",
    out: [
      [
        "packages/core/src/owners/owners/confirm.ts",
        "{ id: owner.id, code_tries: { lt: LIMITS.owner_code_tries } }",
        "{ id: owner.id }",
      ],
    ],
    test: ["packages/core/src/owners/owners/owners.test.ts", "allows five tries"],
  },
  {
    name: "a session signs in once per letter",
    out: [
      [
        "packages/core/src/owners/sessions/sign-in.ts",
        'if ((await storage.delete("session_challenges", { id: challenge.id })) === 0) throw invalid();',
      ],
    ],
    test: ["packages/core/src/owners/sessions/people.test.ts", "the code signs in, once"],
  },
  {
    name: "a recovery's link works once",
    out: [
      [
        "packages/core/src/account/recovery/recover-key.ts",
        'if ((await work.delete("recoveries", { id: recovery_id })) === 0)\n      throw fail("recovery_invalid", { param: "token" });',
      ],
    ],
    test: ["packages/core/src/account/recovery/recovery.test.ts", "of two calls at once"],
  },
  {
    name: "a pairing code works once",
    out: [
      ["packages/core/src/account/pairing/pair.ts", "{ id, code_mac },\n    {", "{ id },\n    {"],
      [
        "packages/core/src/account/pairing/pair.ts",
        "if (used === undefined || code_mac === null) throw invalid();",
        "if (used === undefined) throw invalid();",
      ],
    ],
    test: ["packages/core/src/account/pairing/pairing.test.ts", "works once: of twenty agents"],
  },
  {
    name: "wrong pairing codes are counted",
    out: [
      [
        "packages/core/src/account/pairing/pair.ts",
        'if (!tried.within) throw fail("rate_limited", { retry_after_seconds: tried.retry_after_seconds });',
      ],
    ],
    test: ["packages/core/src/account/pairing/pairing.test.ts", "is tried wrongly five times"],
  },
  {
    name: "a pairing code dies with its person's authority",
    out: [
      [
        "packages/core/src/account/pairing/pair.ts",
        "{ email, session_id: null, ip: caller.ip }, { inbox_id }).catch(lost);",
        '{ email, session_id: null, ip: caller.ip }, { inbox_id }).catch(() => ({ account_id: pairing.account_id ?? "", permissions: null }));',
      ],
      [
        "packages/core/src/account/pairing/pair.ts",
        "if (!charge.some((each) => each.email === email)) throw invalid();",
      ],
    ],
    test: ["packages/core/src/account/pairing/pairing.test.ts", "once its person has lost the authority"],
  },
  // Admitted apps
  {
    name: "a form that was made for another session lets no app in",
    out: [
      [
        "packages/server/src/pages/apps/consent.ts",
        'if (form["session"] !== person.session_id) return showConsent(c, state, ANOTHER_SESSION);',
      ],
    ],
    test: ["test/oauth-consent.test.ts", "an answer counts once"],
  },
  {
    name: "an app is let in only from this site's own form",
    out: [["packages/server/src/pages/apps/consent.ts", "checkOwnPage(c, state);"]],
    test: ["test/oauth-consent.test.ts", "its form only for its own site"],
  },
  {
    name: "one consent gives one code",
    out: [
      [
        "packages/oauth/src/records.ts",
        'if (kind === "Interaction" && ended === 0) throw new errors.SessionNotFound("answered already");',
      ],
    ],
    test: ["packages/server/src/http/oauth-races.test.ts"],
  },
  {
    name: "a request for access is answered once",
    out: [["packages/oauth/src/oauth.ts", 'if (taken.length === 0) throw fail("authorization_expired");']],
    test: ["packages/server/src/http/oauth.test.ts", "counts once, in the browser that began"],
  },
  {
    name: "an app's access ends with its giver's authority",
    out: [
      [
        "packages/core/src/owners/sessions/authority.ts",
        "await endGrantsWithoutAuthority(services, work, email, now);",
      ],
    ],
    test: ["packages/core/src/owners/oauth-grants/apps.test.ts", "once its giver's authority has ended"],
  },
  {
    name: "a replaced refresh token that comes back ends the grant",
    out: [
      [
        "packages/oauth/src/records.ts",
        "consumed: Math.floor(Date.parse(record.consumed_at) / 1000) };",
        "};",
      ],
    ],
    test: ["packages/server/src/http/oauth.test.ts", "that was replaced ends the grant"],
  },
];
