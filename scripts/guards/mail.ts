import { behind, edit, type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const smtp = "packages/adapter-smtp/src";
const authentication = `${core}/mail/sender/authentication.ts`;
const authenticated: [string] = [`${core}/mail/sender/authentication.test.ts`];
const inbound = `${core}/inbound/inbound.test.ts`;
const parse = `${core}/mail/parse.test.ts`;
const listener = `${smtp}/listener/listener.ts`;
const dialogue = `${smtp}/listener/listener.test.ts`;

/** Who a mail is from, and what it may cause. */
const senders: Guard[] = [
  guard(
    "a mail with two From headers is never authenticated",
    [authentication, "mail.from_headers !== 1", "mail.from_headers < 1"],
    authenticated,
  ),
  guard(
    "a second From header counts even beyond the header limit",
    [`${core}/mail/mime/header-fields.ts`, 'if (name === "from") {', 'if (name === "from" && span.fits) {'],
    [parse, "a second From behind the limit"],
  ),
  guard(
    "a From header counts unless it repeats another word for word",
    [`${core}/mail/mime/header-fields.ts`, "authors.has(words)", "authors.size > 0"],
    [parse, "a From that is repeated word for word"],
  ),
  guard(
    "a signature counts only for its own domain",
    [authentication, 'dmarc === "pass" || aligned_dkim;', 'dmarc === "pass" || dkim === "pass";'],
    authenticated,
  ),
  guard(
    "SPF counts only for the domain it was checked for",
    [
      authentication,
      'const aligned_spf =\n    spf === "pass" &&\n    isAligned(',
      'const aligned_spf = spf === "pass" || isAligned(',
    ],
    authenticated,
  ),
  guard(
    "a mail that only claims to be from an owner creates no task",
    [`${core}/inbound/rules.ts`, "facts.require_sender_auth && !believed", "false"],
    [inbound, "a forged copy of the owner's mail"],
  ),
  guard(
    "a stranger's mail creates no task",
    [`${core}/inbound/rules.ts`, "!facts.owner && !facts.allowlisted", "false"],
    [inbound, "a stranger's mail"],
  ),
  guard(
    "imported mail makes no task",
    [`${core}/inbound/rules.ts`, "if (facts.imported)", "if (false)"],
    [`${core}/inbound/inject.test.ts`, "neither a task nor an event"],
  ),
  guard(
    "imported mail that is released makes no task",
    [`${core}/inbound/release.ts`, 'imported: labels.includes("imported")', "imported: false"],
    [`${core}/inbound/inject.test.ts`, "was held and is released"],
  ),
  guard(
    "imported mail wakes nobody",
    [`${core}/inbound/store-mail.ts`, "if (!facts.imported)\n", "if (true)\n"],
    [`${core}/inbound/inject.test.ts`, "neither a task nor an event"],
  ),
  guard(
    "injected mail is not trusted",
    [`${core}/inbound/rules.ts`, 'if (origin === "injected") return "it was injected";'],
    [inbound, "is marked permanently"],
  ),
  guard(
    "an automatic reply creates no task",
    [
      `${core}/inbound/rules.ts`,
      "if (facts.marks.strong !== null) return no(`automatic: ${facts.marks.strong}`);",
    ],
    [inbound, "an automatic reply of the owner"],
  ),
  guard(
    "a mail loop is stopped",
    [
      `${core}/messages/loop.ts`,
      "if (count <= LIMITS.loop_messages_per_hour) return;",
      "if (count > 0) return;",
    ],
    [inbound, "a thread between machines stops"],
  ),
  guard(
    "nothing is sent in a stopped thread",
    [
      `${core}/messages/outgoing.ts`,
      'if (thread?.loop_stopped_at != null && send.letter !== true) throw fail("loop_stopped");',
    ],
    [inbound, "a thread between machines stops"],
  ),
  guard(
    "a mail that arrives twice is stored once",
    [
      `${core}/inbound/store-mail.ts`,
      "const dedupe_key = dedupeKey(evidence, attachments);",
      "const dedupe_key = null;",
    ],
    [inbound, "fifty concurrent copies"],
  ),
  guard(
    "a mail to an inbox that is being deleted leaves nothing behind",
    [
      `${core}/inbound/store-mail.ts`,
      'work.require(work.get("inboxes", inbox.id).then((current) => abortIf(closedOutcome(current, now))));',
    ],
    [inbound, "whose inbox is deleted while"],
  ),
];

/** The content of a suspicious mail is withheld until it is released. */
const held: Guard[] = [
  guard(
    "the signals of a held mail quote nothing of it",
    [`${core}/mail/screening/score.ts`, "held ? detail_if_held : detail", "held ? detail : detail"],
    [`${core}/mail/screening/every-signal.test.ts`, "says nothing in the words of a mail that is held"],
  ),
  guard(
    "a suspicious mail is held if the inbox is set to hold",
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
    "an event of a held mail withholds its content for ever",
    [`${core}/messages/snapshot.ts`, "...{ ...message, ...snapshot },", "...message,"],
    [`${core}/feed/snapshots.test.ts`, "withholds what was held then"],
  ),
  guard(
    "a deleted mail's text is removed from the answer it gave",
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
    "a held mail's body is not searchable",
    [`${core}/messages/store.ts`, "text: held ? [] : [text_words", "text: [text_words"],
    [inbound, "withholds its body everywhere"],
  ),
  guard(
    "a held mail's raw bytes are withheld",
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

/** Limits on the cost of a mail and its files. */
const bombs: Guard[] = [
  guard(
    "the number of parts of a mail is limited",
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
    "the nesting of parts is limited",
    [`${core}/mail/mime/parts.ts`, "around.depth >= MAX_DEPTH", "false"],
    [parse, "twenty levels"],
  ),
  guard(
    "the length of a header block is limited",
    [
      `${core}/mail/parse.ts`,
      'if (block.body_start > MAX_HEADER_BLOCK_BYTES) throw fail("mail_too_complex");',
    ],
    [parse, "what can't be cut is refused"],
  ),
  guard(
    "the length of a body is limited",
    [`${core}/mail/mime/part-text.ts`, "truncated ? decoded.slice(0, max_chars) : decoded", "decoded"],
    [parse, "a body is cut at a million characters"],
  ),
  guard(
    "costly mail is parsed in a worker thread",
    [
      `${core}/mail/parse-cost.ts`,
      "return raw.length > COSTLY_BYTES || hasCostlyHeader(raw) || hasManyDelimiters(raw);",
      "return false;",
    ],
    [`${smtp}/reading/mail-parser.test.ts`, "although this thread has time"],
  ),
  guard(
    "a worker thread that parses a mail has a deadline",
    [
      `${smtp}/reading/isolated-workers.ts`,
      "setTimeout(() => void end(), deadline_ms)",
      "setTimeout(() => undefined, deadline_ms)",
    ],
    [`${smtp}/reading/mail-parser.test.ts`, "over the deadline"],
  ),
  guard(
    "a flood of mail doesn't terminate the worker that parses it",
    [
      `${smtp}/reading/worker-handle.ts`,
      "Math.max(oldest?.since ?? 0, last_answer_at)",
      "(oldest?.since ?? last_answer_at)",
    ],
    [`${smtp}/reading/shared-worker.test.ts`, "is not stuck"],
  ),
  guard(
    "a mail is not blamed for a worker that fails to start",
    [`${smtp}/reading/isolated-workers.ts`, "let starved = true;", "let starved = false;"],
    [`${smtp}/reading/isolated-workers.test.ts`, "does not start fails temporarily"],
  ),
  guard(
    "the elements of an HTML body are limited",
    [
      `${core}/mail/new-words/html-parse.ts`,
      "elements > MAX_HTML_ELEMENTS || runs >= MAX_HTML_RUNS",
      "elements < 0",
    ],
    [`${core}/mail/new-words/hostile.test.ts`, "what follows the last element"],
  ),
  guard(
    "what follows the elements that are read is no tag in safe HTML",
    [`${core}/mail/new-words/html-rest.ts`, "return escapeLess(text);", "return text;"],
    [`${core}/mail/new-words/html-rest.test.ts`, "the first element that is too many"],
  ),
  guard(
    "one network's mail leaves a reading thread for others'",
    [`${smtp}/reading/semaphore.ts`, "holding.of(network) >= all_but_one", "all_but_one < 0"],
    [`${smtp}/reading/semaphore.test.ts`, "never holds the last place"],
  ),
  guard(
    "the network that used the least is read first",
    [`${smtp}/reading/semaphore.ts`, "recent.of(network) + expected_ms;", "expected_ms;"],
    [`${smtp}/reading/semaphore.test.ts`, "used the least"],
  ),
  guard(
    "large mail leaves a reading thread for small mail, whatever networks it is from",
    [`${smtp}/reading/semaphore.ts`, "expected_ms <= short_ms || held_long < all_but_one", "true"],
    [`${smtp}/reading/semaphore.test.ts`, "leaves a place to short use"],
  ),
  guard(
    "small mail is read before large mail of networks that used as little",
    [`${smtp}/reading/semaphore.ts`, "recent.of(network) + expected_ms;", "recent.of(network);"],
    [`${smtp}/reading/semaphore.test.ts`, "short use goes before long use"],
  ),
  guard(
    "a mail that exceeded its worker is tried again before it is refused",
    [
      `${smtp}/reading/isolated-workers.ts`,
      'failures > TEMPORARY_FAILURES ? "mail_too_complex" : "storage_unavailable"',
      '"mail_too_complex"',
    ],
    [`${smtp}/reading/isolated-workers.test.ts`, "exceeds its worker twice"],
  ),
  guard(
    "the text that is indexed for search is limited",
    [`${core}/mail/search-words.ts`, "Math.min(text.length, MAX_INDEXED_CHARS)", "text.length"],
    [`${core}/mail/search-words.test.ts`, "one word with accents"],
  ),
  guard(
    "the depth of a DOCX is limited",
    ["packages/text-extraction/src/docx-text.ts", "if (depth > MAX_DEPTH) throw", "if (depth < 0) throw"],
    ["packages/text-extraction/src/text-extraction.test.ts", "deeply nested DOCX"],
  ),
  guard(
    "the depth and number of an archive's relationships are limited",
    [
      "packages/text-extraction/src/package-parts.ts",
      'if (depth > MAX_DEPTH) throw tooLarge("nesting");',
      "",
      'if (count > MAX_RELATIONSHIPS) throw tooLarge("relationships");',
      "",
    ],
    ["packages/text-extraction/src/docx-text.test.ts", "are too large"],
  ),
  guard(
    "text that a DOCX hides is left out",
    [
      "packages/text-extraction/src/docx-text.ts",
      "skipped_from === 0 && !here.run_hidden",
      "skipped_from === 0",
    ],
    ["packages/text-extraction/src/docx-text.test.ts", "hidden text is left out"],
  ),
  guard(
    "text that a PDF hides is marked",
    [
      "packages/text-extraction/src/pdf-text.ts",
      "if (isHidden(item)) hidden.add(item);",
      "if (false) hidden.add(item);",
    ],
    ["packages/text-extraction/src/pdf-text.test.ts", "is marked"],
  ),
  guard(
    "a workbook's hidden sheets are marked",
    ["packages/text-extraction/src/sheet-text.ts", "if (hidden) out.write", "if (false) out.write"],
    ["packages/text-extraction/src/sheet-text.test.ts", "marked where Excel hides them"],
  ),
  guard(
    "an archive's compression ratio is limited",
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
    "the number of files in an archive is limited",
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
      "a file's decompressed size is limited",
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
    "250 is sent only after the mail is stored",
    [
      listener,
      "return await deliver(message, session);",
      "void deliver(message, session);\n      return null;",
    ],
    [dialogue, "gets 250 only after it was stored"],
  ),
  guard(
    "guessing of addresses is limited",
    [listener, "client.unknown_recipients >= limits.unknown_recipients", "false"],
    [dialogue, "cannot be guessed for long"],
  ),
  guard(
    "a network's connections are limited",
    [listener, "from_network >= limits.connections_per_network", "false"],
    [dialogue, "connections are limited per network"],
  ),
  guard(
    "a network is more than one address, and no loopback address but 127.0.0.1 and ::1 is exempt",
    [
      `${smtp}/reading/client-network.ts`,
      'return address === "::1" || address === "127.0.0.1";',
      'return address === "::1" || address.startsWith("127.");',
    ],
    [dialogue, "one /24 gets a tenth of the connections"],
  ),
  guard(
    "a network's mails being received leave room for others'",
    [`${smtp}/listener/smtp-data.ts`, " && own() + bytes <= max_bytes_per_network", ""],
    [dialogue, "leave room in the buffer"],
  ),
  guard(
    "large mails being received leave room for small ones",
    [`${smtp}/listener/smtp-data.ts`, "is_small ? max_bytes : max_bytes * (1 - KEPT_SHARE)", "max_bytes"],
    [`${smtp}/listener/smtp-data.test.ts`, "keeps its last eighth"],
  ),
  guard(
    "many connections that send at once don't hold the event loop",
    [`${smtp}/listener/undot.ts`, "waiting.length > 0 || left <= 0", "false"],
    [`${smtp}/listener/undot.test.ts`, "as much as it may"],
  ),
  guard(
    "the composed mail counts towards the size",
    [`${core}/mail/mime/composed-size.ts`, "return rest + attached +", "return 0 *"],
    [`${core}/mail/mime/composed-size.test.ts`, "known to the byte"],
  ),
  guard(
    "the size of long HTML is measured beside the event loop",
    [`${core}/messages/check-size.ts`, "workOnContent(contentWorker,", "workOnContent(undefined,"],
    [`${core}/sending/long-content.test.ts`, "is measured in the other thread"],
  ),
  guard(
    "a long injected mail is composed beside the event loop",
    [`${core}/inbound/inject.ts`, "workOnContent(contentWorker,", "workOnContent(undefined,"],
    [`${core}/sending/long-content.test.ts`, "is composed in the other thread"],
  ),
  guard(
    "dot-stuffed lines cost what others do",
    [listener, "readDotsQuickly(client?.connection?._parser, pace);", ""],
    [dialogue, "of dot-stuffed lines costs"],
  ),
  guard(
    "the duration of a session is limited",
    [listener, 'disconnect(session.id, "Session took too long")', "undefined"],
    [dialogue, "a client whose session never ends"],
  ),
  guard(
    "the size of a mail is limited",
    [listener, "size: limits.message_bytes,", "size: Number.MAX_SAFE_INTEGER,"],
    [dialogue, "a message that grows too large is refused"],
  ),
  guard(
    "the memory for concurrent mails is limited",
    [
      listener,
      "countBuffered(limits.buffered_bytes, limits.buffered_bytes_per_network)",
      "countBuffered(Infinity, limits.buffered_bytes_per_network)",
    ],
    [dialogue, "messages that overflow the shared buffer"],
  ),
  guard(
    "a client's mails per minute are limited",
    [listener, "isWithinRate(clientSource(ipOf(session)))", "ipOf(session) !== null"],
    [dialogue, "messages are limited"],
  ),
];

/** The headers of the mail we send. */
const headers: Guard[] = [
  guard(
    "an injected header has no line break",
    [`${core}/inbound/inject.ts`, "Line(LIMITS.custom_header_chars),", "z.string(),"],
    [`${core}/inbound/inject.test.ts`, "in a header's value"],
  ),
  guard(
    "a name can't contain a line break",
    [`${core}/model/fields.ts`, "!/[\\u0000-\\u001f\\u007f\\u2028\\u2029]/.test(text)", "text.length >= 0"],
    [`${core}/inboxes/inboxes.test.ts`, "invalid_header"],
  ),
  guard(
    "a header value can't contain a line break",
    [`${core}/mail/mime/compose.ts`, 'if (FORBIDDEN.test(text)) throw fail("invalid_header", { param });'],
    [`${core}/mail/mime/compose.test.ts`],
  ),
  guard(
    "callers can set only allowed headers",
    [`${core}/mail/mime/compose.ts`, "if (!ALLOWED_HEADER.test(key)) throw fail", "if (false) throw fail"],
    [`${core}/mail/mime/compose.test.ts`],
  ),
  guard(
    "a recipient is a single address",
    [`${core}/mail/mime/compose.ts`, "!ADDRESS.test(address) || FORBIDDEN.test(address)", "false"],
    [`${core}/mail/mime/compose.test.ts`],
  ),
  guard(
    "a stranger's Message-ID is a single word",
    [`${core}/mail/mime/message-ids.ts`, '.map((id) => id.replace(/[\\s\\x00-\\x1f\\x7f]+/g, ""))'],
    [parse, "identifiers get their brackets"],
  ),
  guard(
    "a Message-ID can't inject a header",
    [
      `${core}/mail/mime/compose.ts`,
      'if (!/^[\\x21-\\x3b\\x3d\\x3f-\\x7e]+$/.test(bare)) throw fail("invalid_header", { param });',
    ],
    [`${core}/mail/mime/compose.test.ts`],
  ),
];

/** What an attachment can do to the person who opens it. */
const attachments: Guard[] = [
  guard(
    "a type that browsers execute is served as plain bytes",
    [
      `${core}/mail/attachments.ts`,
      'SCRIPTABLE_TYPES.includes(type) || SCRIPTABLE_FAMILIES.test(type)\n    ? "application/octet-stream"\n    : type',
      "type",
    ],
    [`${core}/mail/attachments.test.ts`],
  ),
  guard(
    "browsers don't guess the type",
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
    "a file name contains no path, quote or control character",
    [
      `${core}/mail/attachments.ts`,
      'filename.replace(/["\\\\/\\u0000-\\u001f\\u007f-\\u009f]/g, "")',
      "filename",
    ],
    [`${core}/mail/attachments.test.ts`],
  ),
];

export const mail: Guard[] = [...senders, ...held, ...bombs, ...visits, ...headers, ...attachments];
