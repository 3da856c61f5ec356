import { behind, edit, type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const smtp = "packages/adapter-smtp/src";
const authentication = `${core}/mail/sender/authentication.ts`;
const authenticated: [string] = [`${core}/mail/sender/authentication.test.ts`];
const inbound = `${core}/inbound/inbound.test.ts`;
const parse = `${core}/mail/parse.test.ts`;
const listener = `${smtp}/listener/listener.ts`;
const dialogue = `${smtp}/listener/listener.test.ts`;

/** Who a mail is from, and what it may bring about. */
const senders: Guard[] = [
  guard(
    "a mail with two From headers is nobody's",
    [authentication, "mail.from_headers !== 1", "mail.from_headers < 1"],
    authenticated,
  ),
  guard(
    "a second From counts behind the limit of headers too",
    [
      `${core}/mail/mime/header-fields.ts`,
      'if (name === "from") block',
      'if (name === "from" && span.fits) block',
    ],
    [parse, "a second From behind the limit"],
  ),
  guard(
    "a signature counts for its own domain alone",
    [authentication, 'dmarc === "pass" || aligned_dkim;', 'dmarc === "pass" || dkim === "pass";'],
    authenticated,
  ),
  guard(
    "SPF counts for the domain that it was asked about",
    [
      authentication,
      'const aligned_spf =\n    spf === "pass" &&\n    isAligned(',
      'const aligned_spf = spf === "pass" || isAligned(',
    ],
    authenticated,
  ),
  guard(
    "a mail that only claims to be its owner's makes no task",
    [`${core}/inbound/rules.ts`, "facts.require_sender_auth && !believed", "false"],
    [inbound, "a forged copy of the owner's mail"],
  ),
  guard(
    "a stranger's mail makes no task",
    [`${core}/inbound/rules.ts`, "!facts.owner && !facts.allowlisted", "false"],
    [inbound, "a stranger's mail"],
  ),
  guard(
    "mail that was injected is not trusted",
    [`${core}/inbound/rules.ts`, 'trusted: believed && facts.origin !== "injected",', "trusted: believed,"],
    [inbound, "is marked permanently"],
  ),
  guard(
    "an automatic reply makes no task",
    [
      `${core}/inbound/rules.ts`,
      "if (facts.marks.strong !== null) return no(`automatic: ${facts.marks.strong}`);",
    ],
    [inbound, "an automatic reply of the owner"],
  ),
  guard(
    "a thread of machines is stopped",
    [
      `${core}/messages/loop.ts`,
      "if (count <= limits.loop_messages_per_hour) return;",
      "if (count > 0) return;",
    ],
    [inbound, "a thread between machines stops"],
  ),
  guard(
    "nothing is sent in a thread that was stopped",
    [
      `${core}/messages/outgoing.ts`,
      'if (thread?.loop_stopped_at != null && send.letter !== true) throw fail("loop_stopped");',
    ],
    [inbound, "a thread between machines stops"],
  ),
  guard(
    "a mail that comes twice is there once",
    [`${core}/inbound/received-message.ts`, "dedupe_key: dedupeKey(mail, raw.hash),", "dedupe_key: null,"],
    [inbound, "fifty concurrent copies"],
  ),
  guard(
    "a mail into an inbox that is being deleted leaves nothing",
    [
      `${core}/inbound/store-mail.ts`,
      'work.require(work.get("inboxes", inbox.id).then((current) => abortIf(closedOutcome(current, now))));',
    ],
    [inbound, "whose inbox is deleted while"],
  ),
];

/** What a suspicious mail says stays withheld until it is released. */
const held: Guard[] = [
  guard(
    "a suspicious mail is held where the inbox wants it",
    [
      `${core}/inbound/decide.ts`,
      'const held = suspicious && inbox.screening === "hold";',
      "const held = false;",
    ],
    [inbound, "withholds its body everywhere"],
  ),
  guard(
    "a held mail's preview is withheld",
    [`${core}/messages/show.ts`, "const held = isHeld(message);", "const held = false;"],
    [inbound, "withholds its body everywhere"],
  ),
  guard(
    "what was held when an event happened is withheld in it for good",
    [`${core}/messages/snapshot.ts`, "{ ...message, ...snapshot,", "{ ...message,"],
    [`${core}/feed/snapshots.test.ts`, "withholds what was held then"],
  ),
  guard(
    "a deleted mail's words are gone from the answer that it gave",
    [
      `${core}/feed/fill-events.ts`,
      "message === undefined ? withoutWords(answer)",
      "false ? withoutWords(answer)",
    ],
    [`${core}/updates/questions/questions.test.ts`, "an answer by a mail that is deleted"],
  ),
  guard(
    "a held mail's body is withheld",
    [`${core}/messages/show.ts`, "if (isHeld(message))\n    return {", "if (false) return {"],
    [inbound, "withholds its body everywhere"],
  ),
  guard(
    "a held mail's body is in no search",
    [`${core}/messages/store.ts`, "text: held ? [] : searchWordsOf", "text: searchWordsOf"],
    [inbound, "withholds its body everywhere"],
  ),
  guard(
    "a held mail's bytes are withheld",
    [`${core}/messages/operations.ts`, 'if (isHeld(message)) throw fail("message_held");'],
    [inbound, "withholds its body everywhere"],
  ),
  guard(
    "a held mail's attachments are withheld",
    [`${core}/attachments/operations.ts`, 'if (isHeld(message)) throw fail("message_held");'],
    [`${core}/attachments/attachments.test.ts`],
  ),
  guard(
    "a held mail is not forwarded",
    [`${core}/sending/forward.ts`, 'if (isHeld(message)) throw fail("message_held");'],
    [`${core}/sending/forward.test.ts`, "a held mail is not forwarded"],
  ),
  guard(
    "a held mail is not given to a waiting agent",
    [`${core}/messages/terms.ts`, ' && !labels.includes("held")'],
    [inbound, "is not returned to a waiting agent"],
  ),
];

/** What a mail or a file in it may cost. */
const bombs: Guard[] = [
  guard(
    "a mail has so many parts",
    [
      `${core}/mail/mime/parts.ts`,
      "walk.seen > MAX_PARTS",
      "false",
      ", MAX_PARTS - walk.seen + 1)",
      ", Infinity)",
    ],
    [parse, "twenty thousand parts"],
  ),
  guard(
    "parts lie so deep in each other",
    [`${core}/mail/mime/parts.ts`, "around.depth >= MAX_DEPTH", "false"],
    [parse, "twenty levels"],
  ),
  guard(
    "a header block is so long",
    [
      `${core}/mail/parse.ts`,
      'if (block.body_start > MAX_HEADER_BLOCK_BYTES) throw fail("mail_too_complex");',
    ],
    [parse, "what can't be cut is refused"],
  ),
  guard(
    "a body is so long",
    [`${core}/mail/mime/part-text.ts`, "truncated ? decoded.slice(0, max_chars) : decoded", "decoded"],
    [parse, "a body is cut at a million characters"],
  ),
  guard(
    "costly mail is read in a thread",
    [
      `${core}/mail/parse-cost.ts`,
      "return raw.length > COSTLY_BYTES || hasCostlyHeader(raw) || hasManyDelimiters(raw);",
      "return false;",
    ],
    [`${smtp}/reading/mail-parser.test.ts`, "although this thread has time"],
  ),
  guard(
    "a thread that reads a mail has a deadline",
    [
      `${smtp}/reading/isolated-workers.ts`,
      "setTimeout(() => void end(), deadline_ms)",
      "setTimeout(() => undefined, deadline_ms)",
    ],
    [`${smtp}/reading/mail-parser.test.ts`, "over the deadline"],
  ),
  guard(
    "a flood of mail doesn't end the thread that reads it",
    [
      `${smtp}/reading/worker-handle.ts`,
      "Math.max(oldest?.since ?? 0, last_answer_at)",
      "(oldest?.since ?? last_answer_at)",
    ],
    [`${smtp}/reading/shared-worker.test.ts`, "is not stuck"],
  ),
  guard(
    "a mail is not blamed for a thread that doesn't start",
    [`${smtp}/reading/isolated-workers.ts`, "let starved = true;", "let starved = false;"],
    [`${smtp}/reading/isolated-workers.test.ts`, "does not start fails temporarily"],
  ),
  guard(
    "an archive inflates to so much of its size",
    [
      "packages/text-extraction/src/limits.ts",
      'if (inflated > MIN_RATIO_BYTES && inflated > part * ratio)\n        throw tooLarge("compression ratio of a part");',
      "",
      'if (total > stored * ratio) throw tooLarge("compression ratio");',
      "",
    ],
    ["packages/text-extraction/src/text-extraction.test.ts", "a ratio over 100"],
  ),
  guard(
    "an archive has so many files",
    [
      "packages/text-extraction/src/walk-zip.ts",
      "zip.entryCount > MAX_ENTRIES",
      "false",
      "names.size > MAX_ENTRIES",
      "false",
    ],
    ["packages/text-extraction/src/text-extraction.test.ts", "too many files"],
  ),
  behind(
    guard(
      "what a file inflates to has bounds",
      [
        "packages/text-extraction/src/limits.ts",
        'if (total > inflated_bytes) throw tooLarge("inflated size");',
        "",
        'if (inflated > MIN_RATIO_BYTES && inflated > part * ratio)\n        throw tooLarge("compression ratio of a part");',
        "",
        'if (total > stored * ratio) throw tooLarge("compression ratio");',
        "",
      ],
      ["packages/text-extraction/src/text-extraction.test.ts", "a DOCX costs little"],
    ),
    edit("packages/text-extraction/src/walk-zip.ts", "entry.uncompressedSize > count.left()", "false"),
  ),
];

/** What a client of the SMTP listener may do. */
const visits: Guard[] = [
  guard(
    "nothing is relayed",
    [
      listener,
      'return reply(550, "No such mailbox here");\n  }\n\n  async function receiveData',
      "return null;\n  }\n\n  async function receiveData",
    ],
    [dialogue, "nothing is relayed"],
  ),
  guard(
    "250 is said once the mail is stored",
    [
      listener,
      "return await deliver(message, session);",
      "void deliver(message, session);\n      return null;",
    ],
    [dialogue, "gets 250 only after it was stored"],
  ),
  guard(
    "addresses can't be guessed for long",
    [listener, "client.unknown_recipients >= limits.unknown_recipients", "false"],
    [dialogue, "cannot be guessed for long"],
  ),
  guard(
    "a client has so many connections",
    [listener, "from_source >= limits.connections_per_ip", "false"],
    [dialogue, "connections are limited per address"],
  ),
  guard(
    "a session ends",
    [listener, 'disconnect(session.id, "Session took too long")', "undefined"],
    [dialogue, "a client whose session never ends"],
  ),
  guard(
    "a mail is so large",
    [listener, "size: limits.message_bytes,", "size: Number.MAX_SAFE_INTEGER,"],
    [dialogue, "a message that grows too large is refused"],
  ),
  guard(
    "mails that come at once have so much room",
    [
      listener,
      "readMessage(stream, buffered, limits.buffered_bytes)",
      "readMessage(stream, buffered, Infinity)",
    ],
    [dialogue, "messages that overflow the shared buffer"],
  ),
  guard(
    "a client sends so many mails a minute",
    [listener, "isWithinRate(clientSource(ipOf(session)))", "ipOf(session) !== null"],
    [dialogue, "messages are limited"],
  ),
];

/** What a mail of ours may say in its headers. */
const headers: Guard[] = [
  guard(
    "no line break comes in with a name",
    [`${core}/model/fields.ts`, "!/[\\u0000-\\u001f\\u007f\\u2028\\u2029]/.test(text)", "text.length >= 0"],
    [`${core}/inboxes/inboxes.test.ts`, "invalid_header"],
  ),
  guard(
    "no line break is written into a header",
    [`${core}/mail/mime/compose.ts`, 'if (FORBIDDEN.test(text)) throw fail("invalid_header", { param });'],
    [`${core}/mail/mime/compose.test.ts`],
  ),
  guard(
    "a header is one that callers may set",
    [`${core}/mail/mime/compose.ts`, "if (!ALLOWED_HEADER.test(key)) throw fail", "if (false) throw fail"],
    [`${core}/mail/mime/compose.test.ts`],
  ),
  guard(
    "a recipient is one address",
    [`${core}/mail/mime/compose.ts`, "!ADDRESS.test(address) || FORBIDDEN.test(address)", "false"],
    [`${core}/mail/mime/compose.test.ts`],
  ),
  guard(
    "a stranger's Message-ID is one word",
    [`${core}/mail/mime/message-ids.ts`, '.map((id) => id.replace(/[\\s\\x00-\\x1f\\x7f]+/g, ""))'],
    [parse, "identifiers get their brackets"],
  ),
  guard(
    "a Message-ID writes no header",
    [
      `${core}/mail/mime/compose.ts`,
      'if (!/^[\\x21-\\x3b\\x3d\\x3f-\\x7e]+$/.test(bare)) throw fail("invalid_header", { param });',
    ],
    [`${core}/mail/mime/compose.test.ts`],
  ),
];

/** What an attachment may do to whoever opens it. */
const attachments: Guard[] = [
  guard(
    "a type that a browser runs is served as bytes",
    [
      `${core}/mail/attachments.ts`,
      'SCRIPTABLE_TYPES.includes(type) || SCRIPTABLE_FAMILIES.test(type)\n    ? "application/octet-stream"\n    : type',
      "type",
    ],
    [`${core}/mail/attachments.test.ts`],
  ),
  guard(
    "a browser doesn't guess a type",
    [`${core}/mail/attachments.ts`, '"X-Content-Type-Options": "nosniff",'],
    [`${core}/attachments/attachments.test.ts`],
  ),
  guard(
    "a download is sandboxed",
    [
      `${core}/mail/attachments.ts`,
      `"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",`,
    ],
    [`${core}/attachments/attachments.test.ts`],
  ),
  guard(
    "a file name holds no path, quote or control character",
    [
      `${core}/mail/attachments.ts`,
      'filename.replace(/["\\\\/\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]/g, "").trim()',
      "filename.trim()",
    ],
    [`${core}/mail/attachments.test.ts`],
  ),
];

export const mail: Guard[] = [...senders, ...held, ...bombs, ...visits, ...headers, ...attachments];
