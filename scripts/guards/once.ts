import { behind, edit, type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const messages = `${core}/messages/messages.test.ts`;
const proof = "test/proofs/idempotency.test.ts";

/** Effects that happen once, despite races, retries and crashes. */
export const once: Guard[] = [
  guard(
    "concurrent calls with one Idempotency-Key have one effect",
    [`${core}/kernel/idempotency.ts`, "if (renewed === undefined) throw inProgress();"],
    [proof, "messages.send under one Idempotency-Key"],
  ),
  guard(
    "an Idempotency-Key belongs to one request",
    [
      `${core}/kernel/idempotency.ts`,
      'if (other !== undefined && other !== fingerprint)\n    throw fail("idempotency_key_conflict", { param: "Idempotency-Key" });',
    ],
    [proof, "messages.send with another body"],
  ),
  guard(
    "an answer is stored with its effect",
    [`${core}/kernel/idempotency.ts`, "if (keyed !== undefined) await keepAnswer(tx, keyed, answer, now);"],
    [messages, "the same key and request replay"],
  ),
  guard(
    "a call is not started while its key is in use in the same process",
    [`${core}/kernel/idempotency.ts`, "if (callsInProgress.has(name)) throw inProgress();"],
    [`${core}/kernel/idempotency.test.ts`, "while a call is under way"],
  ),
  guard(
    "the second call returns the first one's answer",
    [`${core}/kernel/idempotency.ts`, "if (first === undefined) throw error;", "throw error;"],
    [`${core}/kernel/idempotency.test.ts`, "of two processes at one call"],
  ),
  guard(
    "a failed call releases its key",
    [`${core}/kernel/idempotency.ts`, "callsInProgress.delete(name);"],
    [messages, "a failed call leaves its key free"],
  ),
  guard(
    "a client_id belongs to one message",
    [`${core}/messages/outgoing.ts`, "client_id: mail.client_id,", "client_id: null,"],
    [proof, "messages.send with one client_id"],
  ),
  behind(
    guard(
      "a job is run by one worker at a time",
      [
        `${core}/work.ts`,
        "{ id: { in: due.map(({ id }) => id) }, due_at: { lte: iso(now) } }",
        "{ id: { in: due.map(({ id }) => id) } }",
      ],
      [`${core}/kernel/jobs/lease-keeper.test.ts`, "of two workers that look at once"],
    ),
    edit(
      `${core}/kernel/jobs/job-lease.ts`,
      'const noted = await writer.update("jobs", { id: job.id, lease: leaseOf(job) }, { payload });',
      'const noted = await writer.update("jobs", { id: job.id }, { payload });',
    ),
  ),
  guard(
    "a worker that lost its lease writes no result",
    [
      `${core}/kernel/jobs/job-lease.ts`,
      'await writer.delete("jobs", { id: job.id, lease: leaseOf(job) })',
      'await writer.delete("jobs", { id: job.id })',
    ],
    [`${core}/kernel/jobs/lease-keeper.test.ts`, "whose worker is gone"],
  ),
  guard(
    "a slow worker keeps its job",
    [
      `${core}/kernel/jobs/lease-keeper.ts`,
      "if (jobs.length > 0)\n      void renew(jobs)",
      "if (jobs.length < 0) void renew(jobs)",
    ],
    [`${core}/kernel/jobs/lease-keeper.test.ts`],
  ),
  guard(
    "a mail that may have been sent is marked when it is sent again",
    [`${core}/sending/send-job.ts`, "...(repeated ? [possiblyRepeated(now)] : [])", "...[]"],
    [`${core}/kernel/jobs/lease-keeper.test.ts`],
  ),
  guard(
    "an update is in only one digest",
    [
      `${core}/updates/digests/send.ts`,
      'await work.update("update_deliveries", ids, { status: "sent", mode: "digest", message_id: letter.id });',
    ],
    [`${core}/updates/digests/digests.test.ts`, "is sent once by any number of processes"],
  ),
  guard(
    "a task is held only by the worker with a valid lease",
    [
      `${core}/tasks/rules.ts`,
      "task.claim_token !== token_hash || !isClaimed(task, now)",
      "task.claim_token !== token_hash",
    ],
    [`${core}/tasks/claims.test.ts`],
  ),
  guard(
    "only the worker that holds a task can report it",
    [
      `${core}/tasks/rules.ts`,
      "task.claim_token !== token_hash || !isClaimed(task, now)",
      "!isClaimed(task, now)",
    ],
    [`${core}/tasks/claims.test.ts`],
  ),
  guard(
    "acknowledged data is on disk",
    ["packages/adapter-sqlite/src/connection.ts", 'database.pragma("synchronous = full");'],
    ["packages/adapter-sqlite/src/group-commit.test.ts", "the writer syncs every commit"],
  ),
  guard(
    "nothing is acknowledged before its commit",
    [
      "packages/adapter-sqlite/src/group-commit.ts",
      "done.push({ ...job, outcome: await outcomeOf(job, batch) });",
      'const outcome = await outcomeOf(job, batch);\n      if ("value" in outcome) job.resolve(outcome.value as never);\n      done.push({ ...job, outcome });',
    ],
    ["packages/adapter-sqlite/src/group-commit.test.ts", "nothing is answered before the commit"],
  ),
  guard(
    "a transaction's reads stay valid until it has written",
    [
      "packages/adapter-postgres/src/attempt-transaction.ts",
      "begin isolation level serializable",
      "begin isolation level read committed",
    ],
    [
      "packages/adapter-postgres/src/postgres-transactions.test.ts",
      "a transaction whose reads are outdated when it writes",
    ],
  ),
  guard(
    "a mail sees what those before it in its commit have written on PostgreSQL",
    ["packages/adapter-postgres/src/deferred-writes.ts", "waiting.length > 0 &&", "waiting.length < 0 &&"],
    [
      "packages/adapter-postgres/src/interleaving.test.ts",
      "transactions at the same time have the results of some order",
    ],
  ),
  guard(
    "interleaved transactions have an order",
    [
      "packages/adapter-postgres/src/conflict-graph.ts",
      "if (second.followers.has(first)) throw new NotSerializable();",
    ],
    [
      "packages/adapter-postgres/src/interleaving.test.ts",
      "transactions at the same time have the results of some order",
    ],
  ),
  guard(
    "interleaved transactions aren't in a circle of three",
    [
      "packages/adapter-postgres/src/conflict-graph.ts",
      "if (each === first || each.followers.has(first))",
      "if (each === first)",
    ],
    ["packages/adapter-postgres/src/conflict-graph.test.ts", "three in a circle"],
  ),
  guard(
    "what a transaction asks twice in a tick happens in that order",
    [
      "packages/adapter-postgres/src/interleaving.ts",
      "sees || queue.some(({ by }) => by === interleaved)",
      "sees",
    ],
    [
      "packages/adapter-postgres/src/interleaving.test.ts",
      "transactions at the same time have the results of some order",
    ],
  ),
  guard(
    "of several inserts of one key in a statement one is told that it inserted",
    ["packages/sql/src/access.ts", "return canBothBeInserted(one, other);", "return true;"],
    ["packages/sql/src/access.test.ts", "that insert the same key"],
  ),
  guard(
    "a mail that can't be written doesn't fail the others of its commit",
    [
      "packages/adapter-postgres/src/group-commit.ts",
      "const refused = !committing || isRefusal(error);",
      "const refused = isRefusal(error);",
    ],
    ["packages/adapter-postgres/src/announced-commits.test.ts", "that write what can't be sent"],
  ),
  guard(
    "what is asked while an earlier write fails is answered",
    ["packages/sql/src/transaction.ts", "[...waiting, ...asked]", "waiting"],
    ["packages/sql/src/transaction.test.ts", "what is asked while an earlier write fails"],
  ),
  guard(
    "a mail goes where its recipient is when it comes, not when it was accepted",
    [
      "packages/core/src/inbound/destination.ts",
      "if (isDeepStrictEqual(await findDestination(services, recipient, now), destination)) return;",
      "return;",
    ],
    ["packages/core/src/inbound/expected-destination.test.ts", "is refused once its address is gone"],
  ),
  guard(
    "nothing is sent after the end of a transaction",
    [
      "packages/adapter-postgres/src/attempt-transaction.ts",
      "if (over) return",
      "if (false as boolean) return",
    ],
    ["packages/adapter-postgres/src/attempt-transaction.test.ts", "comes after the end of its transaction"],
  ),
  guard(
    "a mail with very many recipients holds nobody up while it is compared",
    ["packages/adapter-postgres/src/interleaving.ts", "const MAX_NOTED = 16;", "const MAX_NOTED = 1e9;"],
    ["packages/adapter-postgres/src/interleaving.test.ts", "are compared by their table alone"],
  ),
  guard(
    "a mail that isn't received voids no code",
    [
      "packages/core/src/inbound/remove-secrets.ts",
      "  await confirm?.();\n  if (author !== undefined)",
      "  if (author !== undefined)",
    ],
    ["packages/core/src/inbound/expected-destination.test.ts", "voids no code"],
  ),
];
