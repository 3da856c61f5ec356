import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const owners = `${core}/owners/owners.test.ts`;
const server = "packages/server/src";
const direct = `${server}/request/direct-only.ts`;

/** The content and rate of requests. */
export const requests: Guard[] = [
  guard(
    "an oversized body is refused by its declared length",
    [
      "packages/server/src/request/body.ts",
      'if (Number(requestHeader(c, "content-length") ?? 0) > max) throw tooLarge(max);',
    ],
    [`${server}/http/request-costs.test.ts`, "the size is checked"],
  ),
  guard(
    "an oversized body is refused whatever length it declares",
    ["packages/server/src/request/body.ts", "if (size > max) throw tooLarge(max);"],
    ["packages/server/src/http/app.test.ts", "a body over 35 MB"],
  ),
  guard(
    "a body of a mail has at most a million characters",
    [
      `${core}/messages/inputs.ts`,
      '.max(LIMITS.body_chars, { error: "message_too_large" })',
      '.max(LIMITS.message_bytes, { error: "message_too_large" })',
    ],
    [`${core}/sending/body-limit.test.ts`, "messages.send refuses one more"],
  ),
  guard(
    "an object of many keys is refused before they are looked at",
    [`${core}/model/fields.ts`, "Object.keys(value).length <= MAX_CHOSEN_KEYS", "true"],
    [`${core}/model/fields.test.ts`, "refused before any is looked at"],
  ),
  guard(
    "a cursor is valid only for its own list",
    [
      `${core}/kernel/page.ts`,
      'if (!text.startsWith(prefix) || text.length === prefix.length)\n    throw fail("invalid_cursor", { param: "cursor" });',
    ],
    ["test/proofs/hostile-requests.test.ts", "rejects a cursor that it did not issue"],
  ),
  guard(
    "a name can only lead to a captured mail",
    [
      "packages/adapter-smtp/src/transport/capture-transport.ts",
      "return NAME.test(name) ? await",
      'return name !== "" ? await',
    ],
    ["packages/adapter-smtp/src/transport/capture-transport.test.ts", "matches no message"],
  ),
  guard(
    "captured mail is hidden from requests through a proxy",
    [direct, " && !isForwarded(c)"],
    ["packages/server/src/internal/outbox.test.ts"],
  ),
  guard(
    "captured mail is protected against DNS rebinding",
    [direct, ' && LOCAL_HOSTS.test(c.req.header("host") ?? "")'],
    ["packages/server/src/internal/outbox.test.ts"],
  ),
  guard(
    "the telephone for development is hidden from everybody else",
    [`${server}/internal/phone.ts`, "  app.use(`${PATH}/*`, directOnly);\n"],
    [`${server}/internal/phone.test.ts`, "is hidden"],
  ),
  guard(
    "no other site texts or calls with the telephone for development",
    [`${server}/internal/phone.ts`, "      checkSameSite(c, state);\n"],
    [`${server}/internal/phone.test.ts`, "another site"],
  ),
  guard(
    "metrics are hidden from other machines",
    [direct, "peer !== null && isLoopbackClient(peer)", "true"],
    [`${server}/http/metrics.test.ts`, "hidden from another machine"],
  ),
  guard(
    "metrics are shown for the right token only",
    [`${server}/http/metrics.ts`, "sameSecret(given, token)", "given !== token"],
    [`${server}/http/metrics.test.ts`],
  ),
  guard(
    "permission is checked before a body is read",
    [`${server}/http/mount.ts`, "await state.letterslot.admit(caller, name, c.req.param());"],
    [`${server}/http/request-costs.test.ts`, "the permission on the inbox"],
  ),
  guard(
    "only operations with attachments take large bodies",
    [
      `${server}/http/mount.ts`,
      "takesFiles(operation) ? LIMITS.request_body_bytes",
      "true ? LIMITS.request_body_bytes",
    ],
    [`${server}/http/request-costs.test.ts`, "without attachments"],
  ),
  guard(
    "the bytes of bodies in flight are bounded for a key and an address",
    [`${server}/request/body-budget.ts`, " || each > LIMITS.bodies_in_flight_bytes_each"],
    [`${server}/request/body-budget.test.ts`, "for each key"],
  ),
  guard(
    "the bytes of bodies in flight are bounded in all",
    [`${server}/request/body-budget.ts`, "total > max || "],
    [`${server}/request/body-budget.test.ts`, "in all"],
  ),
  guard(
    "the bytes in flight are counted as they arrive",
    [`${server}/request/body.ts`, "share?.add(piece.byteLength);"],
    [`${server}/http/request-costs.test.ts`, "over the bytes in flight"],
  ),
  guard(
    "large JSON is scanned before it is parsed",
    [`${server}/request/body.ts`, "watch?.(piece);"],
    ["test/proofs/callers.test.ts", "is refused"],
  ),
  guard(
    "a body has a deadline",
    [`${server}/request/body.ts`, "if (left <= 0) return onLate();", "if (left <= 0) return;"],
    [`${server}/http/request-costs.test.ts`, "stops arriving"],
  ),
  guard(
    "the connections of an address are bounded",
    [`${server}/http/connections.ts`, "before >= LIMITS.connections_per_address", "before < 0"],
    [`${server}/http/connections.test.ts`, "at most 512"],
  ),
  guard(
    "headers have a deadline",
    [`${server}/http/listen.ts`, "headersTimeout: LIMITS.headers_ms,", "headersTimeout: 0,"],
    ["test/proofs/callers.test.ts", "send their headers slowly"],
  ),
  guard(
    "streams and polls are bounded",
    [`${core}/kernel/waiting-places.ts`, "if (full !== undefined)", "if (false)"],
    [`${core}/kernel/waiting-places.test.ts`],
  ),
  guard(
    "a stream has a place",
    [
      `${core}/feed/stream.ts`,
      "const leave = takePlace(ctx, LIMITS.stream_ms / 1000);",
      "const leave = () => {};",
    ],
    [`${core}/feed/feed.test.ts`, "at most 25 polls"],
  ),
  guard(
    "a write wakes only those it concerns",
    [`${core}/feed/read.ts`, "filter.inbox_ids ?? [ctx.account_id]", "[ctx.account_id]"],
    [`${core}/feed/feed.test.ts`, "woken only by writes"],
  ),
  guard(
    "the lock of the data folder is its user's alone",
    [`${server}/process/data-lock.ts`, "chmodSync(lockFile, 0o600);"],
    [`${server}/process/data-lock.test.ts`],
  ),
  guard(
    "only a trusted proxy can name the client",
    [
      "packages/server/src/request/client-address.ts",
      "if (peer === null || !isProxy(peer)) return peer;",
      "if (peer === null) return peer;",
    ],
    ["packages/server/src/request/client-address.test.ts"],
  ),
  guard(
    "an hourly limit is enforced",
    [`${core}/kernel/rate.ts`, 'if (!within) throw fail("rate_limited", { retry_after_seconds });'],
    [owners, "is done five times an hour"],
  ),
  guard(
    "all addresses of an IPv6 host count as one",
    [`${core}/kernel/client-address.ts`, ".slice(0, 4)\n", ".slice(0, 8)\n"],
    [`${core}/kernel/client-address.test.ts`],
  ),
  guard(
    "a key has at most five concurrent waits",
    [`${core}/kernel/waiting.ts`, "if (slot === undefined)", "if (false)"],
    [`${core}/messages/messages.test.ts`, "five waiting slots"],
  ),
  guard(
    "a code has five attempts, however many are concurrent",
    [
      `${core}/owners/confirm.ts`,
      "{ id: owner.id, code_tries: { lt: LIMITS.owner_code_tries } }",
      "{ id: owner.id }",
    ],
    [owners, "allows five tries"],
  ),
  guard(
    "a stranger's attempts at codes are counted",
    [
      `${core}/owners/confirm.ts`,
      'if (!within) throw fail("confirm_locked", { param: "code", retry_after_seconds, fix: LOCKED_FIX });',
    ],
    [owners],
  ),
  guard(
    "strangers together have twenty attempts at codes",
    [`${core}/owners/confirm.ts`, "    { name, max: LIMITS.owner_wrong_codes, window_ms },\n"],
    [owners, "locked for everybody after twenty"],
  ),
  guard(
    "a stranger's attempts at codes lock out nobody else",
    [`${core}/owners/confirm.ts`, "`${name}:${here}`", "name"],
    [owners, "locked for the address that entered five"],
  ),
  guard(
    "owners are asked at most a hundred times an hour",
    [
      `${core}/approvals/ask.ts`,
      "await countOrFail(\n    work,\n    { name: `approvals:${inbox.id}`, max: LIMITS.approvals_per_inbox_hour, window_ms: HOUR_MS },\n    now,\n  );",
    ],
    [`${core}/approvals/approvals.test.ts`, "at most a hundred times an hour"],
  ),
  guard(
    "a page of another origin has no use of the owner's cookie",
    [
      `${server}/request/session.ts`,
      "if (token === undefined || isReadElsewhere(c, state)) return undefined;",
      "if (token === undefined) return undefined;",
    ],
    [`${server}/http/cors.test.ts`, "never has the owner's cookie"],
  ),
  guard(
    "only pages of configured origins read answers",
    [`${server}/http/cors.ts`, "origin !== undefined && isGranted(origins, origin)", "origin !== undefined"],
    [`${server}/http/cors.test.ts`, "may read nothing"],
  ),
  guard(
    "a write that can't honour an Idempotency-Key says so",
    [`${core}/kernel/gate.ts`, 'throw fail("idempotency_not_supported", { param: "Idempotency-Key" });', ";"],
    [`${server}/http/idempotency-keys.test.ts`, "is refused"],
  ),
  guard(
    "who comes through a proxy here is no program on this machine",
    [
      `${server}/request/client-address.ts`,
      "return client !== null && isLoopbackClient(client) && isForwarded(c) ? UNKNOWN_CLIENT : client;",
      "return client;",
    ],
    [`${server}/request/client-address.test.ts`],
  ),
  guard(
    "a packed body isn't read",
    [`${server}/request/body.ts`, "  checkIsPlain(c);\n"],
    [`${server}/http/request-shape.test.ts`, "is 415"],
  ),
  guard(
    "a webhook's secret can't be guessed",
    [`${core}/webhooks/operations.ts`, ".min(LIMITS.webhook_secret_min_chars)", ".min(1)"],
    [`${core}/webhooks/webhooks.test.ts`, "is refused"],
  ),
  guard(
    "extracted_html loads and runs nothing",
    [`${core}/mail/new-words/extract.ts`, "safeHtml(pruneHtml(", "((html: string) => html)(pruneHtml("],
    [`${core}/messages/extracted-html.test.ts`, "received HTML"],
  ),
  guard(
    "in safe HTML every bracket that isn't one of its tags is escaped",
    [
      `${core}/mail/new-words/safe-html.ts`,
      "out.push(escapeLess(source.slice(text_start, text_end)))",
      "out.push(source.slice(text_start, text_end))",
    ],
    [`${core}/mail/new-words/safe-html.test.ts`, "a tag made of two"],
  ),
];
