import type { Guard } from "./guard.ts";

/** Mail goes out once, to permitted recipients only, and machines don't answer each other for ever. */
export const sentOnce: readonly Guard[] = [
  // An agent that is fooled
  {
    name: "an address that a stranger named waits for an owner",
    out: [
      ["packages/core/src/traffic/gate/findings.ts", "if (mention === undefined) return [];", "return [];"],
    ],
    test: ["packages/core/src/traffic/gate/attacks.test.ts", "sends to an address of the mail"],
  },
  {
    name: "no secret of the account leaves",
    out: [
      [
        "packages/core/src/traffic/gate/pass.ts",
        "      secret: secret === undefined ? null : ownSecretFault(secret),\n",
      ],
    ],
    test: ["packages/core/src/traffic/gate/attacks.test.ts", "mails its own key"],
  },
  {
    name: "a file of others waits for an owner",
    out: [["packages/core/src/traffic/gate/elsewhere.ts", "if (came.length === 0) return [];", "return [];"]],
    test: ["packages/core/src/traffic/gate/attacks.test.ts", "attaches it anew"],
  },
  {
    name: "a new inbox is as strict as the account's strictest",
    out: [
      [
        "packages/core/src/account/inboxes/guards/start.ts",
        "strictestSendMode(send_mode, least)",
        "send_mode",
      ],
    ],
    test: ["packages/core/src/account/inboxes/guards/guards.test.ts", "starts with the strictest mode"],
  },
  // Loops
  {
    name: "a mail loop is stopped",
    out: [
      [
        "packages/core/src/mailbox/messages/outgoing/loop.ts",
        "if (count <= LIMITS.loop_messages_per_hour) return;",
        "if (count > 0) return;",
      ],
    ],
    test: ["packages/core/src/traffic/inbound/inbound.test.ts", "a thread between machines stops"],
  },
  {
    name: "nothing is sent in a stopped thread",
    out: [
      [
        "packages/core/src/mailbox/messages/outgoing/outgoing.ts",
        'if (thread?.loop_stopped_at != null && send.letter !== true) throw fail("loop_stopped");',
      ],
    ],
    test: ["packages/core/src/traffic/inbound/inbound.test.ts", "a thread between machines stops"],
  },
  {
    name: "an automatic reply to a letter is dropped",
    out: [
      [
        "packages/core/src/traffic/inbound/receive.ts",
        "if (strong !== null || weak !== null)",
        "if (false as boolean)",
      ],
    ],
    test: ["packages/core/src/traffic/inbound/redaction/letter-secrets.test.ts", "that is automatic"],
  },
  {
    name: "mail doesn't come back to this service",
    out: [
      [
        "packages/adapter-smtp/src/transport/direct/mail-hosts.ts",
        "priority < own_priority",
        "priority <= own_priority",
      ],
    ],
    test: [
      "packages/adapter-smtp/src/transport/direct/direct-transport.test.ts",
      "mail isn't sent to this service's own hosts",
    ],
  },
  {
    name: "nothing is relayed",
    out: [
      [
        "packages/adapter-smtp/src/listener/listener.ts",
        'return reply(550, "No such mailbox here");\n  }\n\n  async function receiveData',
        "return null;\n  }\n\n  async function receiveData",
      ],
    ],
    test: ["packages/adapter-smtp/src/listener/listener.test.ts", "nothing is relayed"],
  },
  // One request, one effect
  {
    name: "concurrent calls with one Idempotency-Key have one effect",
    out: [["packages/core/src/kernel/idempotency.ts", "if (renewed === undefined) throw inProgress();"]],
    test: ["test/proofs/idempotency.test.ts", "messages.send under one Idempotency-Key"],
  },
  {
    name: "an Idempotency-Key belongs to one request",
    out: [
      [
        "packages/core/src/kernel/idempotency.ts",
        'if (other !== undefined && other !== fingerprint)\n    throw fail("idempotency_key_conflict", { param: "Idempotency-Key" });',
      ],
    ],
    test: ["test/proofs/idempotency.test.ts", "messages.send with another body"],
  },
  {
    name: "an answer is stored with its effect",
    out: [
      [
        "packages/core/src/kernel/idempotency.ts",
        "if (keyed !== undefined) await keepAnswer(tx, keyed, answer, now);",
      ],
    ],
    test: ["packages/core/src/mailbox/messages/messages.test.ts", "the same key and request replay"],
  },
  {
    name: "a client_id belongs to one message",
    out: [
      [
        "packages/core/src/mailbox/messages/outgoing/outgoing.ts",
        "client_id: mail.client_id,",
        "client_id: null,",
      ],
    ],
    test: ["test/proofs/idempotency.test.ts", "messages.send with one client_id"],
  },
  // One worker, one attempt
  {
    name: "a job is run by one worker at a time",
    out: [
      [
        "packages/core/src/work.ts",
        "{ id: { in: due.map(({ id }) => id) }, due_at: { lte: iso(now) } }",
        "{ id: { in: due.map(({ id }) => id) } }",
      ],
      [
        "packages/core/src/kernel/jobs/job-lease.ts",
        'const noted = await writer.update("jobs", { id: job.id, lease: leaseOf(job) }, { payload });',
        'const noted = await writer.update("jobs", { id: job.id }, { payload });',
      ],
    ],
    test: ["packages/core/src/kernel/jobs/lease-keeper.test.ts", "of two workers that look at once"],
  },
  {
    name: "a worker that lost its lease writes no result",
    out: [
      [
        "packages/core/src/kernel/jobs/job-lease.ts",
        'await writer.delete("jobs", { id: job.id, lease: leaseOf(job) })',
        'await writer.delete("jobs", { id: job.id })',
      ],
    ],
    test: ["packages/core/src/kernel/jobs/lease-keeper.test.ts", "whose worker is gone"],
  },
  {
    name: "a mail that may have been sent is marked when it is sent again",
    out: [
      [
        "packages/core/src/traffic/sending/send-job.ts",
        "...(repeated ? [possiblyRepeated(now)] : [])",
        "...[]",
      ],
    ],
    test: ["packages/core/src/kernel/jobs/lease-keeper.test.ts"],
  },
  {
    name: "a text that may have been sent is never sent again",
    out: [
      [
        "packages/core/src/traffic/sending/phone/sms-job.ts",
        "  if (progress.begun > progress.tried)\n    return recordAttempt(services, job, message, progress.tried, possiblySent(POSSIBLY_SENT));\n",
      ],
    ],
    test: ["packages/core/src/traffic/sending/phone/sms.test.ts", "a worker that died after it began"],
  },
  {
    name: "an unknown outcome of a text is not tried again",
    out: [
      [
        "packages/core/src/traffic/sending/phone/sms-job.ts",
        'if (error.outcome === "unavailable") return',
        'if (error.outcome !== "refused") return',
      ],
    ],
    test: ["packages/core/src/traffic/sending/phone/sms.test.ts", "an unknown outcome is never repeated"],
  },
  {
    name: "that a call is begun is noted before the provider is asked",
    out: [
      [
        "packages/core/src/traffic/sending/phone/call-job.ts",
        "await noteOnJob(services.storage, job, { ...job.payload, begun: true });",
      ],
    ],
    test: ["packages/core/src/traffic/sending/phone/call.test.ts", "finds that another one had begun"],
  },
  {
    name: "a replayed text changes nothing, not even after it was deleted",
    out: [
      [
        "packages/core/src/traffic/inbound/phone/receive-text.ts",
        'if (!(await noteTaken(work, name, inbox.id, now))) return "duplicate";',
      ],
    ],
    test: [
      "packages/core/src/traffic/inbound/phone/receive-phone.test.ts",
      "that is told twice is stored once",
    ],
  },
  // Budgets
  {
    name: "no more is sent than a budget allows",
    out: [
      [
        "packages/core/src/limits/budgets/spend.ts",
        "if (!within) throw overLimit(budgeted, key, limit, now);",
      ],
    ],
    test: ["packages/core/src/limits/budgets/budgets.test.ts", "of many calls at once"],
  },
  // Reports about sent mail
  {
    name: "a return path counts only with this service's MAC",
    out: [
      [
        "packages/core/src/traffic/bounces/return-path.ts",
        "return right ? idWithPart(part) : undefined;",
        "return idWithPart(part);",
      ],
    ],
    test: ["packages/core/src/traffic/bounces/forged-reports.test.ts", "is unknown"],
  },
  {
    name: "a report without the return path proves nothing",
    out: [
      [
        "packages/core/src/traffic/bounces/rules.ts",
        'if (tie === "message_id" || (tie === "header" && kind === "delivery")) return "none";',
      ],
    ],
    test: ["packages/core/src/traffic/bounces/proof.test.ts", "by nothing"],
  },
  {
    name: "an unproven report is a delivery event and nothing more",
    out: [
      [
        "packages/core/src/traffic/bounces/record-findings.ts",
        'findings.filter(({ proof }) => proof !== "none")',
        "findings.filter(() => true)",
      ],
    ],
    test: ["packages/core/src/traffic/bounces/forged-reports.test.ts", "a forged bounce"],
  },
  {
    name: "people in charge are never suppressed for a report",
    out: [
      [
        "packages/core/src/traffic/bounces/record-findings.ts",
        "if (in_charge.has(addressKey(recipient))) continue;",
      ],
    ],
    test: ["packages/core/src/owners/owners/unreachable.test.ts", "never suppressed"],
  },
  {
    name: "nobody writes in a thread that another worker holds",
    out: [
      [
        "packages/core/src/mailbox/threads/assign.ts",
        "const fault = thread && leaseFault(thread, hashOf(claim_token), iso(now));",
        "const fault = undefined as ReturnType<typeof leaseFault>;",
      ],
    ],
    test: ["packages/core/src/mailbox/threads/assign.test.ts", "nothing is written in it without the token"],
  },
];
