import type { Guard } from "./guard.ts";

/** Secrets stay secret, the service connects to no private network, and browsers obey no stranger. */
export const secretsAndNetwork: readonly Guard[] = [
  // Addresses that strangers choose
  {
    name: "private addresses are recognised in every notation",
    out: [["packages/adapter-http/src/addresses.ts", 'parsed.range() !== "unicast" || ']],
    test: ["packages/adapter-http/src/destination.test.ts", "is not public"],
  },
  {
    name: "a name is connected to only at public addresses",
    out: [
      [
        "packages/adapter-http/src/connections.ts",
        "addresses.filter(({ address }) => allowed(address))",
        "addresses",
      ],
    ],
    test: ["packages/adapter-http/src/webhook-http.test.ts", "a name that resolves to a private address"],
  },
  {
    name: "the socket's peer address is checked",
    out: [
      [
        "packages/adapter-http/src/connections.ts",
        'if (allowed(socket.remoteAddress ?? "")) return',
        "return",
      ],
    ],
    test: [
      "packages/adapter-http/src/webhook-http.test.ts",
      "whose address changes between the check and the connection",
    ],
  },
  {
    name: "a document comes from no private network",
    out: [["packages/adapter-http/src/webhook-http.ts", "if (refusal !== null) return notFetched(refusal);"]],
    test: ["packages/adapter-http/src/webhook-http.test.ts", "isn't fetched over http"],
  },
  {
    name: "a file comes from no private network",
    out: [
      [
        "packages/adapter-http/src/webhook-http.ts",
        "if (refusal !== null) return { error: refusal, refused: true };",
      ],
    ],
    test: ["packages/adapter-http/src/webhook-http.test.ts", "comes from no private address"],
  },
  {
    name: "nothing is fetched for mail that might wait",
    out: [
      [
        "packages/core/src/mailbox/uploads/fetch.ts",
        "fetchableUrl(each, asked, options.attachmentUrls)",
        "each.url",
      ],
    ],
    test: ["packages/core/src/mailbox/uploads/fetch.test.ts", "where mail might wait"],
  },
  {
    name: "a secret doesn't leave in the URL of a file",
    out: [["packages/core/src/mailbox/uploads/fetch.ts", "await checkUpdate(ctx, inbox, texts, now);"]],
    test: ["packages/core/src/mailbox/uploads/fetch.test.ts", "what must never leave"],
  },
  {
    name: "a zone can't send look-ups to a private address",
    out: [
      ["packages/adapter-smtp/src/sender/zone-dns.ts", "found.flat().filter(mayBeAsked)", "found.flat()"],
    ],
    test: [
      "packages/adapter-smtp/src/sender/zone-dns.test.ts",
      "a name server at a private address isn't asked",
    ],
  },
  {
    name: "a mail host at a private address is never connected to",
    out: [
      [
        "packages/adapter-smtp/src/transport/direct/direct-transport.ts",
        "(isPublicAddress(address) && !isOfThisMachine(address))",
        "address !== null",
      ],
    ],
    test: [
      "packages/adapter-smtp/src/transport/direct/direct-transport.test.ts",
      "is never connected to, for good",
    ],
  },
  // Keys and secrets at rest and in logs
  {
    name: "secrets and headers of webhooks are encrypted in storage",
    out: [
      [
        "packages/core/src/events/webhooks/operations.ts",
        "sealed_secret: ctx.seal.seal(secret)",
        "sealed_secret: secret",
      ],
    ],
    test: ["packages/core/src/events/webhooks/webhooks.test.ts", "sealed in storage"],
  },
  {
    name: "a DKIM key is stored sealed",
    out: [
      [
        "packages/core/src/account/domains/create.ts",
        "sealed_dkim_key: seal.seal(private_key)",
        "sealed_dkim_key: private_key",
      ],
    ],
    test: [
      "packages/core/src/account/domains/domains.test.ts",
      "whose private half is sealed and shown to nobody",
    ],
  },
  {
    name: "a modified ciphertext is not decrypted",
    out: [
      [
        "packages/core/src/kernel/secrets.ts",
        "decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));",
        'decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));\n      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)).toString("utf8");',
      ],
    ],
    test: ["packages/core/src/kernel/secrets.test.ts"],
  },
  {
    name: "a letter's link is not readable in storage",
    out: [
      [
        "packages/core/src/owners/owners/invite.ts",
        "link_hash: hashSecret(link_token)",
        "link_hash: link_token",
      ],
    ],
    test: ["packages/core/src/owners/owners/authority.test.ts", "nor is it in storage"],
  },
  {
    name: "an export has no hash of a key",
    out: [
      [
        "packages/core/src/account/export/exported-kinds.ts",
        'keys: { by: "account_id", secret: ["hash"] },',
        'keys: { by: "account_id" },',
      ],
    ],
    test: ["packages/core/src/account/export/export.test.ts", "has no secret"],
  },
  {
    name: "no log line contains a secret",
    out: [
      [
        "packages/server/src/process/log.ts",
        "SECRET_FIELDS.has(name) ? REDACTED : shown(value)",
        "shown(value)",
      ],
    ],
    test: ["packages/server/src/process/log.test.ts", "is redacted"],
  },
  // Sessions
  {
    name: "a session that ended opens nothing",
    out: [
      [
        "packages/core/src/owners/sessions/session.ts",
        "if (session === undefined || session.expires_at <= iso(now)) return undefined;",
        "if (session === undefined) return undefined;",
      ],
    ],
    test: ["test/proofs/credentials.test.ts", "a session that wasn't used for 30 days"],
  },
  {
    name: "no script reads a session",
    out: [["packages/server/src/request/session.ts", "; HttpOnly; SameSite=Lax", "; SameSite=Lax"]],
    test: ["packages/server/src/http/sessions.test.ts", "lives in a cookie"],
  },
  {
    name: "another site can't act with a person's cookie",
    out: [["packages/server/src/request/same-origin.ts", 'if (!own) throw fail("cross_site_request");']],
    test: ["packages/server/src/http/sessions.test.ts", "changes nothing for another site"],
  },
  {
    name: "another site can't sign a browser in",
    out: [["packages/server/src/request/same-origin.ts", "if (isBrowser(c)) checkOwnPage(c, state);"]],
    test: ["test/proofs/cross-site.test.ts", "gets no cookie, session or challenge"],
  },
  {
    name: "a page of another origin has no use of the owner's cookie",
    out: [
      [
        "packages/server/src/request/session.ts",
        "if (token === undefined || isReadElsewhere(c, state)) return undefined;",
        "if (token === undefined) return undefined;",
      ],
    ],
    test: ["packages/server/src/http/cors.test.ts", "never has the owner's cookie"],
  },
  {
    name: "only pages of configured origins read answers",
    out: [
      [
        "packages/server/src/http/cors.ts",
        "origin !== undefined && isGranted(origins, origin)",
        "origin !== undefined",
      ],
    ],
    test: ["packages/server/src/http/cors.test.ts", "may read nothing"],
  },
  // Pages and content from strangers
  {
    name: "a page runs no scripts and can't be framed",
    out: [
      ["packages/server/src/pages/layout.ts", "default-src 'none'; img-src data:; style-src", "style-src"],
      [
        "packages/server/src/pages/layout.ts",
        "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      ],
    ],
    test: ["packages/server/src/pages/owners.test.ts", "every owner page"],
  },
  {
    name: "the frame of a mail runs nothing",
    out: [["packages/server/src/pages/mail-frame.ts", ' sandbox=""']],
    test: ["test/approval-frame.test.ts", "runs nothing"],
  },
  {
    name: "extracted_html loads and runs nothing",
    out: [
      [
        "packages/core/src/mail/reply-extraction/extract.ts",
        "safeHtml(pruneHtml(",
        "((html: string) => html)(pruneHtml(",
      ],
    ],
    test: ["packages/core/src/mailbox/messages/extracted-html.test.ts", "received HTML"],
  },
  {
    name: "a download is sandboxed",
    out: [
      [
        "packages/core/src/mail/attachments.ts",
        "\"Content-Security-Policy\": \"default-src 'none'; sandbox; frame-ancestors 'none'\",",
      ],
    ],
    test: ["packages/core/src/traffic/attachments/attachments.test.ts"],
  },
  {
    name: "a Message-ID can't inject a header",
    out: [
      [
        "packages/core/src/mail/mime/compose.ts",
        'if (!/^[\\x21-\\x3b\\x3d\\x3f-\\x7e]+$/.test(bare)) throw fail("invalid_header", { param });',
      ],
    ],
    test: ["packages/core/src/mail/mime/compose.test.ts"],
  },
  {
    name: "a file's decompressed size is limited",
    out: [
      [
        "packages/text-extraction/src/limits.ts",
        'if (total > inflated_bytes) throw tooLarge("inflated size");',
      ],
      [
        "packages/text-extraction/src/limits.ts",
        'if (inflated > MIN_RATIO_BYTES && inflated > part * ratio)\n        throw tooLarge("compression ratio of a part");',
      ],
      [
        "packages/text-extraction/src/limits.ts",
        'if (total > stored * ratio) throw tooLarge("compression ratio");',
      ],
      ["packages/text-extraction/src/office/walk-zip.ts", "entry.uncompressedSize > count.left()", "false"],
    ],
    test: ["packages/text-extraction/src/text-extraction.test.ts", "a DOCX costs little"],
  },
  {
    name: "tools: texts of others are in quotes that they can't end",
    out: [
      [
        "packages/mcp/src/tools/text.ts",
        "return PLAIN.test(fact) ? fact : JSON.stringify(fact);",
        "return fact;",
      ],
    ],
    test: ["test/proofs/tool-frames.test.ts", "quotes that end"],
  },
  // The peer's identity
  {
    name: "only a trusted proxy can name the client",
    out: [
      [
        "packages/server/src/request/client-address.ts",
        "if (peer === null || !isProxy(peer)) return peer;",
        "if (peer === null) return peer;",
      ],
    ],
    test: ["packages/server/src/request/client-address.test.ts"],
  },
  {
    name: "MCP: a page of another origin is refused (DNS rebinding)",
    out: [
      [
        "packages/server/src/http/mcp.ts",
        "if (origin !== undefined && !isGranted(allowed, origin))",
        "if (origin === undefined && false)",
      ],
    ],
    test: ["packages/server/src/http/mcp.test.ts", "a page that got its own name to lead here"],
  },
  {
    name: "a callback that Twilio didn't sign is refused",
    out: [
      [
        "packages/adapter-twilio/src/callbacks.ts",
        'if (!validateRequest(auth_token, signature, url, fields)) return "forged";',
      ],
    ],
    test: ["packages/adapter-twilio/test/twilio-callbacks.test.ts", "doesn't fit with another digit"],
  },
  {
    name: "a delivery from someone else is refused",
    out: [["packages/client/src/webhooks.ts", "if (!checks.includes(true))", "if (false)"]],
    test: ["packages/client/src/webhooks.test.ts", "a delivery is refused"],
  },
  {
    name: "command line: a profile's key goes to its own server only",
    out: [
      [
        "packages/cli/src/profile/connect.ts",
        "profile !== undefined && sameServer(profile.url, base_url)",
        'profile !== undefined && base_url !== ""',
      ],
    ],
    test: ["packages/cli/src/profile/config-file.test.ts", "a profile's key goes to its own server only"],
  },
  // Mail that a person looks at
  {
    name: "of a mail's HTML only known tags are written",
    out: [
      [
        "packages/core/src/mail/rendered-html/render-html.ts",
        "out.push(escapeLess(source))",
        "out.push(source)",
      ],
    ],
    test: ["packages/core/src/mail/rendered-html/rendered-html.test.ts", "a loose sign"],
  },
  {
    name: "a view of a mail that is held by now shows nothing",
    out: [["packages/core/src/traffic/views/open.ts", 'if (isHeld(message)) throw fail("message_held");']],
    test: ["packages/core/src/traffic/views/views.test.ts", "ends when its mail is held"],
  },
  {
    name: "a person sees the design of what they have read, or nothing",
    out: [
      [
        "packages/core/src/owners/approvals/mail-as-read.ts",
        "isDigestOf(digest, await senderOf(services, storage, inbox), draft)",
        "[senderOf, isDigestOf].length > 0",
      ],
    ],
    test: ["packages/core/src/traffic/views/asked-mail.test.ts", "for as long as it is what its digest"],
  },
  {
    name: "the design of a mail to approve is for those who decide",
    out: [
      ["packages/core/src/traffic/views/operations.ts", 'if (!decides) throw fail("authority_required");'],
    ],
    test: ["packages/core/src/traffic/views/asked-mail.test.ts", "is nobody's but theirs who decide"],
  },
  {
    name: "a design is shown to whoever decides now",
    out: [
      [
        "packages/core/src/traffic/attachments/links.ts",
        "(await approvalOfPerson(services, maker, approval_id)).decides",
        "approvalOfPerson.length + approval_id.length > 0",
      ],
    ],
    test: ["packages/core/src/traffic/views/asked-mail.test.ts", "is nobody's but theirs who decide"],
  },
  {
    name: "remote images carry no secret out",
    out: [["packages/core/src/traffic/views/fetch-images.ts", "await checkUpdate(ctx, inbox, texts, now);"]],
    test: ["packages/core/src/traffic/views/views.test.ts", "that name a secret or a canary"],
  },
  {
    name: "the words of views aren't logged",
    out: [["packages/server/src/http/app.ts", "path: withoutWord(path)", "path"]],
    test: ["packages/server/src/http/views.test.ts", "writes its word nowhere"],
  },
];
