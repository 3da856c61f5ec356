import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { ExpectationId, InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { inWaitingSlot, waitFor } from "../../kernel/waiting.ts";
import { channels } from "../../kernel/work.ts";
import { findMessage } from "../../mailbox/messages/index.ts";
import { canonicalDomain } from "../../model/address.ts";
import {
  Expectation,
  ExpectationKind,
  type ExpectationRecord,
  ExpectationStatus,
  OnExpiry,
} from "../../model/expectations.ts";
import { ClientId, CursorInput, Email, iso, Limit, Line, listOf, WaitSeconds } from "../../model/fields.ts";
import { newOwnAddress } from "./own-address.ts";
import { checkAwaited, checkConditions, checkMayMakeTask, checkOwnAddress } from "./rules.ts";
import { showExpectation } from "./show.ts";

const Domain = z
  .string()
  .max(253, { error: "invalid_domain" })
  .transform((text, ctx) => {
    const domain = canonicalDomain(text.trim().replace(/^@/, "").replace(/\.$/, ""));
    if (domain !== undefined) return domain;
    ctx.addIssue({ code: "custom", message: "invalid_domain" });
    return z.NEVER;
  });

/** The operations on expected mail. */
export const expectations = {
  create: operation({
    summary:
      "Expects a mail, a code, a link or a reply: the first mail that fits meets it, in the transaction that stores the mail.",
    when: "Begin it before you cause the mail, such as by a sign-up; or be told when nobody answers in time.",
    example: { kind: "code", from_domain: "shop.example", own_address: true, ttl_seconds: 900 },
    errors: [
      "expectation_limit",
      "own_address_too_long",
      "message_not_found",
      "invalid_domain",
      "permission_denied",
    ],
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    authorize: ({ permissions }, { on_expiry }) => checkMayMakeTask(permissions, on_expiry),
    idempotent: true,
    tool: {
      name: "expect_mail",
      description:
        "Expect mail before you cause it, then wait_for_expectation. Give the answered address to the sender.",
      fields: {
        kind: "",
        from_domain: "",
        from: "",
        subject_contains: "",
        in_reply_to: "Message id",
        own_address: "Make one for this mail alone",
        require_auth: "",
        ttl_seconds: "",
        on_expiry: "`task`: get a task then",
      },
    },
    input: z.object({
      inbox_id: InboxId,
      kind: ExpectationKind.describe(
        "What is expected: any `message`, one with a `code` or a `link`, or a `reply` to `in_reply_to`.",
      ),
      from_domain: Domain.optional().describe("Only mail from this domain or one below it."),
      from: Email.optional().describe("Only mail from this address."),
      subject_contains: Line(LIMITS.expectation_subject_chars)
        .refine((text) => text.trim() !== "")
        .optional()
        .describe(
          `Only mail whose subject contains this, 1 to ${LIMITS.expectation_subject_chars} characters, capitals or not.`,
        ),
      in_reply_to: MessageId.optional().describe(
        "Only mail that answers this message, which the inbox sent; needed for a `reply`.",
      ),
      own_address: z
        .boolean()
        .default(false)
        .describe(
          "Whether to make an address for it, `name+x…@…`, which no other mail is sent to; false by default. It goes on receiving as the inbox does.",
        ),
      require_auth: z
        .boolean()
        .default(true)
        .describe("Whether only mail whose sender is authenticated meets it; true by default."),
      ttl_seconds: z
        .int()
        .min(LIMITS.expectation_min_seconds)
        .max(LIMITS.expectation_max_seconds)
        .default(LIMITS.expectation_default_seconds)
        .describe(
          `How long it waits, from ${LIMITS.expectation_min_seconds} to ${LIMITS.expectation_max_seconds} seconds; ${LIMITS.expectation_default_seconds} by default.`,
        ),
      on_expiry: OnExpiry.default("none").describe(
        "What happens when it expires: nothing by default, or a task says so, which takes `task_write` too.",
      ),
      client_id: ClientId.optional(),
    }),
    output: Expectation,
    async replay({ storage, inbox }, { client_id }) {
      if (client_id === undefined) return undefined;
      const where = { inbox_id: inbox.id, client_id };
      const [first] = await storage.find("expectations", { where, limit: 1 });
      return first && shown(first);
    },
    run: createExpectation,
  }),

  list: operation({
    summary: "Lists the expectations of an inbox, newest first, without codes and links.",
    when: "See what is still awaited, and what came.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["message_read"],
    input: z.object({
      inbox_id: InboxId,
      status: ExpectationStatus.optional().describe("Only those with this status; all by default."),
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Expectation),
    async run({ storage, inbox }, { status, limit, cursor }) {
      const where = { inbox_id: inbox.id, ...(status === undefined ? {} : { status }) };
      const page = await newestFirst(storage, "expectations", { where, limit, cursor });
      return { ...page, data: page.data.map(shown) };
    },
  }),

  get: operation({
    summary:
      "Shows an expectation, with the code or link that came; with wait it waits until it isn't waiting.",
    when: "Wait for the mail that you expect.",
    example: { wait: 25 },
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    tool: {
      name: "wait_for_expectation",
      description: "Wait for expected mail and get its code or link. Check link.host before you open a link.",
      needs: ["wait"],
    },
    input: z.object({
      inbox_id: InboxId,
      expectation_id: ExpectationId,
      wait: WaitSeconds(0, LIMITS.wait_max_seconds),
    }),
    output: Expectation,
    async run(ctx, { expectation_id: id, wait }) {
      const first = await findExpectation(ctx, id);
      if (first.status !== "waiting" || wait === 0) return showExpectation(ctx, first);
      const look = async () => {
        const now = await findExpectation(ctx, id);
        return now.status === "waiting" ? undefined : now;
      };
      const ended = await inWaitingSlot(ctx, wait, () =>
        waitFor(ctx, { channels: [channels.expectation(id)], seconds: wait, look }),
      );
      return showExpectation(ctx, ended ?? (await findExpectation(ctx, id)));
    },
  }),

  cancel: operation({
    summary: "Cancels an expectation that waits; it stays readable. One that has ended stays as it is.",
    when: "The mail isn't awaited any more.",
    scope: "inbox",
    effect: "write",
    allow: ["message_update"],
    input: z.object({ inbox_id: InboxId, expectation_id: ExpectationId }),
    output: Expectation,
    run: (ctx, { expectation_id: id }) =>
      ctx.transaction(async (work) => {
        const found = await findExpectation({ ...ctx, storage: work }, id);
        const change = { status: "cancelled" } as const;
        const [cancelled] = await work.update("expectations", { id, status: "waiting" }, change);
        if (cancelled !== undefined) work.wake(channels.expectation(id));
        return shown(cancelled ?? found);
      }),
  }),
};

/** An expectation without what its mail says. */
const shown = (record: ExpectationRecord): z.input<typeof Expectation> => ({
  ...record,
  code: null,
  link: null,
});

async function findExpectation(
  { storage, inbox }: { storage: Pick<InboxContext["storage"], "get">; inbox: InboxContext["inbox"] },
  id: string,
): Promise<ExpectationRecord> {
  const found = await storage.get("expectations", id);
  if (found?.inbox_id !== inbox.id) throw notFound("expectation_not_found", "exp", id);
  return found;
}

async function createExpectation(
  ctx: InboxContext,
  input: {
    kind: ExpectationRecord["kind"];
    from_domain?: string | undefined;
    from?: string | undefined;
    subject_contains?: string | undefined;
    in_reply_to?: string | undefined;
    own_address: boolean;
    require_auth: boolean;
    ttl_seconds: number;
    on_expiry: ExpectationRecord["on_expiry"];
    client_id?: string | undefined;
  },
): Promise<z.input<typeof Expectation>> {
  const { inbox, now, makeId } = ctx;
  const { kind, own_address, require_auth, on_expiry, in_reply_to = null } = input;
  checkConditions(input);
  if (own_address) checkOwnAddress(inbox.username);
  const own_email = own_address ? newOwnAddress(inbox) : null;
  const expires_at = iso(new Date(now.getTime() + input.ttl_seconds * 1000));
  return answerInTransaction(ctx, async (work) => {
    const awaited = in_reply_to === null ? undefined : await findMessage(work, inbox.id, in_reply_to);
    if (awaited !== undefined) checkAwaited(awaited);
    const present = await work.get("inboxes", inbox.id);
    if (present === undefined) throw notFound("inbox_not_found", "inb", inbox.id);
    const limit = LIMITS.open_expectations_per_inbox;
    const waiting = { inbox_id: inbox.id, status: "waiting" } as const;
    const open = await work.count("expectations", waiting, limit);
    const { record, inserted } = await work.insert("expectations", {
      ...{ id: makeId("exp"), account_id: inbox.account_id, inbox_id: inbox.id, status: "waiting", kind },
      ...{ address: own_email ?? inbox.email, own_address, own_email, require_auth, on_expiry, in_reply_to },
      from: input.from ?? null,
      from_domain: input.from_domain ?? null,
      subject_contains: input.subject_contains ?? null,
      awaited_reference: awaited?.message_id ?? null,
      thread_id: awaited?.thread_id ?? null,
      ...{ message_id: null, near_misses: [], met_at: null, expires_at, created_at: iso(now) },
      client_id: input.client_id ?? null,
    });
    if (!inserted) return { ...shown(record), idempotent: true };
    if (open >= limit) throw fail("expectation_limit");
    if (present.expects_until === null || present.expects_until < expires_at)
      await work.update("inboxes", { id: inbox.id }, { expects_until: expires_at });
    work.job({ kind: "expectation.expire", subject_id: record.id, due_at: new Date(expires_at) });
    return shown(record);
  });
}
