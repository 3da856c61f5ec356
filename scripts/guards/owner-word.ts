import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const proof = `${core}/mail/sender/proof.ts`;
const proof_test = `${core}/mail/sender/proof.test.ts`;
const rules = `${core}/inbound/rules.ts`;
const rules_test = `${core}/inbound/rules.test.ts`;
const word = `${core}/inbound/owner-word.ts`;
const replies = `${core}/approvals/match-approval-reply.ts`;
const replies_test = `${core}/approvals/match-approval-reply.test.ts`;
const extract = `${core}/mail/new-words/extract.ts`;
const hostile_test = `${core}/mail/new-words/hostile.test.ts`;
const as_reply = `${core}/inbound/read-as-reply.ts`;
const as_reply_test = `${core}/inbound/read-as-reply.test.ts`;
const attacks = "test/owners-word.test.ts";

/** When an owner's mail counts as their word, and when an order is trusted. */
export const ownerWord: Guard[] = [
  guard(
    "a letter's Message-ID alone makes no mail its answer",
    [
      word,
      `const missing = "It came to the inbox and not to the letter's reply address.";`,
      "const missing = null;",
    ],
    [replies_test, "to the inbox and not to the letter's reply address"],
  ),
  guard(
    "a reply to another mail does not answer the letter",
    [
      proof,
      'if (answered !== null && answered !== letter.message_id)\n    return "It replies to another mail than the letter.";',
    ],
    [proof_test, "answers another mail"],
  ),
  guard(
    "a signature ties a reply to the letter",
    [proof, 'return tied ? null : "it covers nothing that names the letter";', "return null;"],
    [proof_test, "names the letter nowhere"],
  ),
  guard(
    "a key in testing proves nothing",
    [proof, 'if (key_testing) return "its key is only for testing";'],
    [proof_test, "testing"],
  ),
  guard(
    "a second header proves nothing, signed or not",
    [proof, 'if (proof.ambiguous) return "A header that may be there once is there twice.";'],
    [proof_test, "with a header twice"],
  ),
  guard(
    "an old mail is no answer to a new letter",
    [
      proof,
      'if (!isWithin(proof.date, letter.sent_at, now)) return "Its Date does not lie between the letter and now.";',
    ],
    [proof_test, "from before the letter"],
  ),
  guard(
    "an expired signature proves nothing",
    [proof, 'if (expires_at !== null && expires_at * 1000 < now) return "it has expired";'],
    [attacks, "signature that has expired"],
  ),
  guard(
    "a signature from before the letter proves nothing",
    [
      proof,
      'if (signed_at !== null && !isWithin(signed_at * 1000, sent_at, now))\n    return "it was not made between the letter and now";',
    ],
    [attacks, "made before the letter"],
  ),
  guard(
    "the service's own keys speak for no owner",
    [proof, "aligned_signatures.filter((signature) => !isOurKey(signature))", "aligned_signatures"],
    [proof_test, "leaves out SPF and keys"],
  ),
  guard(
    "a reply counts once",
    [word, "if (wasSeen([...seen.signatures, ...seen.message_ids], place))", "if (false)"],
    [attacks, "seen where its author did not send it"],
  ),
  guard(
    "a quote or a signature alone is no word",
    [
      word,
      'if (!mail.extraction.own_words) return no("It has no words of its own: only a quote or a signature.");',
    ],
    [attacks, "a quote alone"],
  ),
  guard(
    "a letter that does not show everything is decided on its page",
    [replies, '(letter.whole ? null : "The letter did not show everything.")', "null"],
    [attacks, "does not show everything"],
  ),
  guard(
    "a signed order makes one task in an inbox",
    [
      rules,
      'if (facts.replayed) return no("replayed: this inbox received a mail with the same signature before");',
    ],
    [rules_test, "signature this inbox has seen"],
  ),
  guard(
    "an order whose signature covers too little is not trusted",
    [rules, "trusted: believed && doubt === null,", "trusted: believed,"],
    [rules_test, "covers too little"],
  ),
  guard(
    "a signed order to one inbox is not trusted in another",
    [rules, 'return place.named || seen.length === 0 ? "first" : "elsewhere";', 'return "first";'],
    [rules_test, "did not name this place"],
  ),
  guard(
    "an injected copy does not stand in for the real mail",
    [
      `${core}/inbound/received-message.ts`,
      'origin === "injected" ? "injected" : (letter?.record.hash ?? "")',
      'letter?.record.hash ?? ""',
    ],
    [attacks, "though it was injected first"],
  ),
  guard(
    "a forged copy does not swallow the genuine mail",
    [
      `${core}/inbound/store-mail.ts`,
      "await replaceWorseCopy(services, inbox, evidence, { author, webhooks }, outcome.message_id, now);",
    ],
    [attacks, "though a host that SPF does not allow"],
  ),
  guard(
    "the parent's text makes no words of a quote the writer's",
    [extract, "kept.has(marked[at] as L) && keptAlone.has(line)", "kept.has(marked[at] as L)"],
    [hostile_test, "makes no words the writer's that are not without it"],
  ),
  guard(
    "an owner's answers within a quote are no orders",
    [as_reply, "takes_answers = author.owner === undefined && !author.allowlisted", "takes_answers = true"],
    [as_reply_test, "an owner's count only where they stand apart"],
  ),
  guard(
    "an owner's answers within a quote aren't shown as the owner's words",
    [`${core}/messages/marked.ts`, "takes_answers: compared?.takes_answers", "takes_answers: true"],
    [as_reply_test, "has the same words as visible in the marked view"],
  ),
  guard(
    "an owner's reply to a letter is read without the letter's text",
    [as_reply, "reference === undefined || letter !== undefined || redacted", "reference === undefined"],
    [as_reply_test, "approves nothing when it says more than yes"],
  ),
  guard(
    "a mail that bears another's Message-ID doesn't stand for it",
    [as_reply, "Number(b.own) - Number(a.own)", "Number(a.own) - Number(b.own)"],
    [as_reply_test, "not with a mail that bears its Message-ID"],
  ),
  guard(
    "a reply is compared with mail of its own inbox only",
    [as_reply, "where: { inbox_id: inbox.id, reference }", "where: { reference }"],
    [as_reply_test, "to a mail that only another inbox has"],
  ),
];
