import type { Guard } from "./guard.ts";

/** Only real words of an owner count as theirs or make a task trusted, and only mail that an owner approved is sent. */
export const ownersWord: readonly Guard[] = [
  // The sender of a mail
  {
    name: "a mail with two From headers is never authenticated",
    out: [
      ["packages/core/src/mail/sender/authentication.ts", "mail.from_headers !== 1", "mail.from_headers < 1"],
    ],
    test: ["packages/core/src/mail/sender/authentication.test.ts"],
  },
  {
    name: "a second From header counts even beyond the header limit",
    out: [
      [
        "packages/core/src/mail/mime/header-fields.ts",
        'if (name === "from") {',
        'if (name === "from" && span.fits) {',
      ],
    ],
    test: ["packages/core/src/mail/parse.test.ts", "a second From behind the limit"],
  },
  {
    name: "text among a mail's header fields, which no signature covers, is never signed",
    out: [["packages/adapter-smtp/src/sender/signature-facts.ts", " || DELIMITER.test(text)", ""]],
    test: ["packages/adapter-smtp/src/sender/sender-auth.test.ts", "may begin among the header fields"],
  },
  {
    name: "a mail counts as an owner's only if it is proven to be a person's",
    out: [
      [
        "packages/core/src/traffic/inbound/rules.ts",
        'return proof === "person" && marks.strong === null && marks.weak === null;',
        "return marks.strong === null && marks.weak === null;",
      ],
    ],
    test: [
      "packages/core/src/owners/owners/authority.test.ts",
      "a forged mail makes an untrusted task at most",
    ],
  },
  {
    name: "a mail that only claims to be from an owner creates no task",
    out: [["packages/core/src/traffic/inbound/rules.ts", "facts.require_sender_auth && !believed", "false"]],
    test: ["packages/core/src/traffic/inbound/inbound.test.ts", "a forged copy of the owner's mail"],
  },
  {
    name: "the service's own keys speak for no owner",
    out: [
      [
        "packages/core/src/mail/sender/proof.ts",
        "authentication.aligned_signatures.filter((signature) => !isOwnKey(own, signature))",
        "authentication.aligned_signatures",
      ],
    ],
    test: ["packages/core/src/mail/sender/proof.test.ts", "leaves out SPF and keys"],
  },
  {
    name: "what our own key at a custom domain signed is no owner's word",
    out: [
      [
        "packages/core/src/mail/sender/proof.ts",
        "isOurSelector(selector) || (key_hash !== null && own.keys.includes(key_hash));",
        "isOurSelector(selector);",
      ],
    ],
    test: ["test/own-keys.test.ts", "a key of a domain that was deleted"],
  },
  // Which mail answers a letter
  {
    name: "a letter's Message-ID alone makes no mail its answer",
    out: [
      [
        "packages/core/src/traffic/inbound/sender/owner-word.ts",
        'const missing = "It came to the inbox and not to the letter\'s reply address.";',
        "const missing = null;",
      ],
    ],
    test: [
      "packages/core/src/owners/approvals/match-approval-reply.test.ts",
      "to the inbox and not to the letter's reply address",
    ],
  },
  {
    name: "a reply to another mail does not answer the letter",
    out: [
      [
        "packages/core/src/mail/sender/proof.ts",
        'if (answered !== null && !letter.is_named_by(answered))\n    return "It replies to another mail than the letter.";',
      ],
    ],
    test: ["packages/core/src/mail/sender/proof.test.ts", "answers another mail"],
  },
  {
    name: "a signature ties a reply to the letter",
    out: [
      [
        "packages/core/src/mail/sender/proof.ts",
        'return tied ? null : "it covers nothing that names the letter";',
        "return null;",
      ],
    ],
    test: ["packages/core/src/mail/sender/proof.test.ts", "names the letter nowhere"],
  },
  {
    name: "a reply counts once",
    out: [
      [
        "packages/core/src/traffic/inbound/sender/owner-word.ts",
        "if (wasSeen([...seen.signatures, ...seen.message_ids], place))",
        "if (false)",
      ],
    ],
    test: ["test/owners-word.test.ts", "seen where its author did not send it"],
  },
  {
    name: "a letter that does not show everything is decided on its page",
    out: [
      [
        "packages/core/src/owners/approvals/match-approval-reply.ts",
        '(letter.whole ? null : "The letter did not show everything.")',
        "null",
      ],
    ],
    test: ["test/owners-word.test.ts", "does not show everything"],
  },
  {
    name: "an owner's reply to a letter is read without the letter's text",
    out: [
      [
        "packages/core/src/traffic/inbound/sender/read-as-reply.ts",
        "reference === undefined || letter !== undefined || redacted",
        "reference === undefined",
      ],
    ],
    test: [
      "packages/core/src/traffic/inbound/sender/read-as-reply.test.ts",
      "approves nothing when it says more than yes",
    ],
  },
  // Which words are the writer's
  {
    name: "the parent's text makes no words of a quote the writer's",
    out: [
      [
        "packages/core/src/mail/reply-extraction/extract.ts",
        "kept.has(marked[at] as L) && keptAlone.has(line)",
        "kept.has(marked[at] as L)",
      ],
    ],
    test: [
      "packages/core/src/mail/reply-extraction/hostile.test.ts",
      "makes no words the writer's that are not without it",
    ],
  },
  {
    name: "an owner's answers within a quote are no orders",
    out: [
      [
        "packages/core/src/traffic/inbound/sender/read-as-reply.ts",
        "takes_answers = author.owner === undefined && !author.allowlisted",
        "takes_answers = true",
      ],
    ],
    test: [
      "packages/core/src/traffic/inbound/sender/read-as-reply.test.ts",
      "an owner's count only where they stand apart",
    ],
  },
  // Replays, copies, injected and imported mail
  {
    name: "an injected copy does not stand in for the real mail",
    out: [
      [
        "packages/core/src/traffic/inbound/received-message.ts",
        'origin === "injected" ? "injected" : (letter?.record.hash ?? "")',
        'letter?.record.hash ?? ""',
      ],
    ],
    test: ["test/owners-word.test.ts", "though it was injected first"],
  },
  {
    name: "a forged copy does not swallow the genuine mail",
    out: [
      [
        "packages/core/src/traffic/inbound/store-mail.ts",
        "await replaceWorseCopy(services, inbox, evidence, { author, webhooks }, outcome.message_id, now);",
      ],
    ],
    test: ["test/owners-word.test.ts", "though a host that SPF does not allow"],
  },
  {
    name: "injected mail is not trusted",
    out: [
      [
        "packages/core/src/traffic/inbound/rules.ts",
        'return proof === "none" ? (doubt ?? "nothing shows who wrote it") : doubt;',
        'return proof === "none" ? null : doubt;',
      ],
    ],
    test: ["packages/core/src/traffic/inbound/inbound.test.ts", "is marked permanently"],
  },
  {
    name: "imported mail makes no task",
    out: [["packages/core/src/traffic/inbound/rules.ts", "if (facts.imported)", "if (false)"]],
    test: ["packages/core/src/traffic/inbound/inject.test.ts", "neither a task nor an event"],
  },
  {
    name: "imported mail that is released makes no task",
    out: [
      [
        "packages/core/src/traffic/inbound/release.ts",
        'imported: labels.includes("imported")',
        "imported: false",
      ],
    ],
    test: ["packages/core/src/traffic/inbound/inject.test.ts", "was held and is released"],
  },
  {
    name: "an imported approval approves nothing",
    out: [["packages/core/src/owners/approvals/rules.ts", "    !approval.imported &&\n"]],
    test: ["packages/core/src/account/export/import/imported.test.ts", "whose approval says approved"],
  },
  {
    name: "an imported task is trusted by nobody",
    out: [
      [
        "packages/core/src/account/export/import/settle.ts",
        "{ trusted: false, imported: true,",
        "{ imported: true,",
      ],
    ],
    test: ["packages/core/src/account/export/import/imported.test.ts", "are trusted by nobody"],
  },
  {
    name: "an archive makes no owner verified",
    out: [
      [
        "packages/core/src/account/export/import/settle.ts",
        'trust_owners ? owner : { ...owner, status: "pending", verified_at: null },',
        "trust_owners ? owner : { ...owner },",
      ],
    ],
    test: ["packages/core/src/account/export/export.test.ts", "trusts nobody"],
  },
  // Approvals
  {
    name: "in approval mode nothing is sent without approval",
    out: [["packages/core/src/traffic/sending/drafts/send-now.ts", "judged.asks && !approved", "false"]],
    test: ["packages/core/src/owners/approvals/approvals.test.ts"],
  },
  {
    name: "an approval is valid only for the mail that was shown",
    out: [
      [
        "packages/core/src/owners/approvals/decide.ts",
        "draft !== undefined && isDigestOf(digest, await senderOf(services, work, inbox), draft)",
        "draft !== undefined",
      ],
    ],
    test: ["packages/core/src/owners/approvals/approvals.test.ts", "a name put on the inbox"],
  },
  {
    name: "a mail that its decider changed is judged like any other",
    out: [
      [
        "packages/core/src/owners/approvals/edit.ts",
        "await services.heldDrafts.judge(services, inbox, draft, now)",
        "[] as ReasonRecord[]",
      ],
    ],
    test: ["packages/core/src/owners/approvals/edit.test.ts", "that sending would fail with"],
  },
  {
    name: "what is found in a mail that its decider changed is told first",
    out: [
      [
        "packages/core/src/owners/approvals/edit.ts",
        "digest !== result && reasons.length > approval.reasons.length",
        "false",
      ],
    ],
    test: ["packages/core/src/owners/approvals/edit.test.ts", "comes back once"],
  },
  {
    name: "what people release is released by no key",
    out: [
      [
        "packages/core/src/traffic/inbound/operations.ts",
        'present.release_by === "authority" &&',
        "false &&",
      ],
      ["packages/core/src/traffic/inbound/release.ts", "|| mustAsk(present)"],
    ],
    test: ["packages/core/src/traffic/inbound/release-by.test.ts", "asks them once"],
  },
  {
    name: "the words of a held mail are shown in a session alone",
    out: [["packages/core/src/owners/approvals/review.ts", "decides && signed_in ?", "decides ?"]],
    test: ["packages/core/src/traffic/inbound/release-by.test.ts", "asks them once"],
  },
  {
    name: "details of mail are told to those who may read it",
    out: [["packages/core/src/owners/approvals/reasons.ts", "of_mail && !mayRead(of ?? inbox_id)", "false"]],
    test: ["packages/core/src/owners/approvals/reasons.test.ts", "callers who may read the mail"],
  },
  {
    name: "a decided approval stays decided",
    out: [
      [
        "packages/core/src/owners/approvals/rules.ts",
        'status === "pending" && expires_at > now',
        "expires_at > now",
      ],
      ["packages/core/src/owners/approvals/end.ts", '{ id, status: "pending" },', "{ id },"],
    ],
    test: ["packages/core/src/owners/approvals/approvals.test.ts", "of many decisions at once one counts"],
  },
  {
    name: "a draft that changes while being sent is not sent",
    out: [
      [
        "packages/core/src/traffic/sending/drafts/send-now.ts",
        'if (mailDigest(sender, current) !== mailDigest(sender, before)) throw fail("draft_changed");',
      ],
    ],
    test: [
      "packages/core/src/traffic/sending/drafts/drafts.test.ts",
      "changed between the check and the send",
    ],
  },
  {
    name: "HTML is cleaned before an owner is asked about it",
    out: [
      [
        "packages/core/src/owners/approvals/ask.ts",
        "const bodies = bodiesOfSame(cleaned, given);",
        "const bodies = given;",
      ],
    ],
    test: ["packages/core/src/owners/approvals/clean-draft.test.ts", "what is approved is what is sent"],
  },
  {
    name: "an owner is asked about the draft that was cleaned",
    out: [
      ["packages/core/src/owners/approvals/clean-draft.ts", " || contentOf(cleaned.of) !== contentOf(draft)"],
    ],
    test: ["packages/core/src/owners/approvals/clean-draft.test.ts", "changed after it was cleaned"],
  },
  {
    name: "opening a link in a letter changes nothing",
    out: [
      [
        "packages/server/src/pages/token-pages.ts",
        "callPublic<S>(c, state, show, { token })",
        "callPublic<S>(c, state, act, { token })",
      ],
    ],
    test: ["packages/server/src/pages/letter-pages.test.ts", "is filled in, and sends no answer"],
  },
  {
    name: "a key's deletion of the account waits for an account owner",
    out: [
      [
        "packages/core/src/account/erasing/operations.ts",
        'if (caller.type !== "owner" ||',
        'if (caller.type === "app" ||',
      ],
    ],
    test: ["packages/core/src/account/erasing/erasing.test.ts", "a key with full access asks"],
  },
  // Held mail
  {
    name: "a suspicious mail is held if the inbox is set to hold",
    out: [
      [
        "packages/core/src/traffic/inbound/decide.ts",
        'const held = suspicious && inbox.screening === "hold";',
        "const held = false;",
      ],
    ],
    test: ["packages/core/src/traffic/inbound/inbound.test.ts", "withholds its body everywhere"],
  },
  {
    name: "a held mail's body is withheld",
    out: [
      [
        "packages/core/src/mailbox/messages/show.ts",
        "if (isHeld(message))\n    return {",
        "if (false) return {",
      ],
    ],
    test: ["packages/core/src/traffic/inbound/inbound.test.ts", "withholds its body everywhere"],
  },
  {
    name: "a held mail's raw bytes are withheld",
    out: [["packages/core/src/mailbox/messages/raw.ts", 'if (isHeld(message)) throw fail("message_held");']],
    test: ["packages/core/src/traffic/inbound/inbound.test.ts", "withholds its body everywhere"],
  },
  {
    name: "an agent's rule never touches an owner's word",
    out: [
      [
        "packages/core/src/traffic/inbound/meet-rules.ts",
        "decided.owner !== undefined ||\n    decided.word !== undefined ||",
        "",
      ],
      [
        "packages/core/src/traffic/inbound/meet-rules.ts",
        "(isHuman(facts) && (await isInCharge(services, inbox, addressOf(evidence.mail))))",
        "false",
      ],
    ],
    test: ["packages/core/src/traffic/rules/inbox-rules.test.ts", "never touches an owner's word"],
  },
  {
    name: "a rule's answer that would be held isn't sent",
    out: [
      ["packages/core/src/traffic/rules/auto-reply.ts", 'if (asks) return { reason: "approval_required" };'],
    ],
    test: ["packages/core/src/traffic/rules/inbox-rules.test.ts", "asks nobody"],
  },
  {
    name: "no message of a stranger stands for the one that nobody answered",
    out: [
      [
        "packages/core/src/traffic/expectations/operations.ts",
        "if (awaited !== undefined) checkAwaited(awaited);",
      ],
    ],
    test: ["packages/core/src/traffic/expectations/expectations.test.ts", "stands for the awaited one"],
  },
];
