import { z } from "zod";
import { LIMITS } from "../../catalogue/limits.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { inWaitingSlot, waitFor } from "../../kernel/waiting.ts";
import { channels } from "../../kernel/work.ts";
import type { FoundCode } from "../../mail/codes/find-codes.ts";
import type { FoundLink } from "../../mail/codes/find-links.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { addressKey } from "../../model/address.ts";
import { iso, Timestamp, WaitSeconds } from "../../model/fields.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { TimestampInput } from "../../model/times.ts";
import { matchesSenderRequest, type SenderRequest } from "./code-rules.ts";
import { findBody } from "./find.ts";
import { listMessages } from "./list.ts";
import { isHeld } from "./show.ts";

const FoundFields = {
  code: z
    .string()
    .nullable()
    .describe("The one-time code, without spaces and hyphens; null if it is a link."),
  link: z.string().nullable().describe("The whole link; null if it is a code."),
  link_host: z
    .string()
    .nullable()
    .describe("The host that the link leads to: check it before you open the link; null if it is a code."),
};
const FoundKind = z.enum(["code", "link"]);
const Text = z.string().min(1).max(320).optional();

/** The input fields of a wait for a code. */
export const CodeRequest = {
  wait: WaitSeconds(LIMITS.wait_default_seconds, LIMITS.wait_max_seconds),
  after: TimestampInput.optional().describe(
    "Only mail that arrived after this time; by default the last 5 minutes count.",
  ),
  from_contains: Text.describe("Only mail whose author's address or name contains this."),
  from_domain: Text.describe("Only mail from this domain or one below it, whose sender was authenticated."),
  subject_contains: Text.describe("Only mail whose subject contains this."),
};

/** A one-time code or link, and the mail it arrived in. */
export const InboxCode = z.object({
  object: z.literal("inbox_code").default("inbox_code"),
  inbox_id: z.string().describe("The inbox."),
  timed_out: z.boolean().describe("Whether the wait ended without a code."),
  kind: FoundKind.nullable().describe("Whether a code or a link was found; null if neither."),
  ...FoundFields,
  candidates: z
    .array(
      z.object({
        kind: FoundKind.describe("Whether it is a code or a link."),
        ...FoundFields,
        score: z.number().describe("How likely it is, from 0 to 1."),
        reason: z.string().describe("What speaks for it."),
      }),
    )
    .describe("All codes and links that the mail seems to contain, the most likely first."),
  message: z
    .object({
      id: z.string().describe("The message's id."),
      thread_id: z.string().describe("The thread that it belongs to."),
      from: z.string().describe("The author's address."),
      subject: z.string().describe("The subject line."),
      created_at: Timestamp.describe("When it was received (ISO 8601, UTC)."),
    })
    .nullable()
    .describe("The mail that it arrived in; null if none came."),
  after: Timestamp.describe("Send this as `after` in the next call to skip this mail."),
});
export type InboxCode = z.infer<typeof InboxCode>;

type Candidate = z.output<typeof InboxCode>["candidates"][number];

const MAX_MESSAGES_READ = 50;

/** Returns the newest code or link that arrived since `after` (default: 5 minutes ago), or waits for one. */
export async function waitForCode(
  ctx: InboxContext,
  {
    wait,
    after = iso(new Date(ctx.now.getTime() - LIMITS.code_back_ms)),
    ...request
  }: SenderRequest & { wait: number; after?: string | undefined },
): Promise<z.input<typeof InboxCode>> {
  const { id: inbox_id } = ctx.inbox;
  const seen = new Set<string>();
  const look = () => newestCode(ctx, after, request, seen);
  const come =
    (await look()) ??
    (await inWaitingSlot(ctx, wait, () =>
      waitFor(ctx, { channels: [channels.inbox(inbox_id)], seconds: wait, look }),
    ));
  if (come === undefined)
    return {
      inbox_id,
      timed_out: true,
      kind: null,
      code: null,
      link: null,
      link_host: null,
      candidates: [],
      message: null,
      after,
    };

  const { message, candidates, first } = come;
  const { id, thread_id, from, subject, created_at } = message;
  const answer = {
    kind: first.kind,
    code: first.code,
    link: first.link,
    link_host: first.link_host,
  };
  return {
    inbox_id,
    timed_out: false,
    ...answer,
    candidates,
    message: { id, thread_id, from, subject, created_at },
    after: created_at,
  };
}

/** The newest matching mail that contains a code or link; mail in `seen` contained none and is skipped. */
async function newestCode(
  ctx: InboxContext,
  after: string,
  request: SenderRequest,
  seen: Set<string>,
): Promise<{ message: MessageRecord; candidates: Candidate[]; first: Candidate } | undefined> {
  const { storage, inbox } = ctx;
  const filter = { inbox_id: inbox.id, direction: "inbound", after, order: "desc" } as const;
  for (const message of await listMessages(storage, filter, undefined, MAX_MESSAGES_READ)) {
    if (isHeld(message) || seen.has(message.id) || !matchesSenderRequest(message, request)) continue;
    await ctx.yieldToEventLoop();
    if (await isExpectedElsewhere(ctx, message)) continue;
    const candidates = await candidatesOf(ctx, message);
    const [first] = candidates;
    if (first !== undefined) return { message, candidates, first };
    seen.add(message.id);
  }
  return undefined;
}

/**
 * Whether a mail is for somebody who expects it at an address of its own: while that one waits, and, for the mail that met
 * it, until its time is over.
 */
async function isExpectedElsewhere(
  { storage, inbox, clock }: Pick<InboxContext, "storage" | "inbox" | "clock">,
  { id, envelope_to }: MessageRecord,
): Promise<boolean> {
  if (envelope_to === null || envelope_to === inbox.email) return false;
  const where = { inbox_id: inbox.id, own_email: addressKey(envelope_to) };
  const [own] = await storage.find("expectations", { where, limit: 1 });
  if (own === undefined || own.expires_at <= iso(clock.now())) return false;
  return own.status === "waiting" || own.message_id === id;
}

/** Codes before links: a mail with both lets the reader choose. */
async function candidatesOf(
  { contentWorker, storage }: Pick<InboxContext, "contentWorker" | "storage">,
  message: MessageRecord,
): Promise<Candidate[]> {
  const { text, html, decisions } = await findBody(storage, message);
  // A letter of ours is for its reader alone.
  if (decisions?.letter !== undefined) return [];
  const { subject, extracted_text, in_reply_to } = message;
  const mail = { subject, extracted_text, text, html, is_reply: in_reply_to !== null };
  const { codes, links } = await workOnContent(contentWorker, "findInMail", mail);
  return [...codes.map(codeCandidate), ...links.map(linkCandidate)];
}

const codeCandidate = ({ code, score, reason }: FoundCode): Candidate => ({
  kind: "code",
  code,
  link: null,
  link_host: null,
  score,
  reason,
});
const linkCandidate = ({ link, link_host, score, reason }: FoundLink): Candidate => ({
  kind: "link",
  code: null,
  link,
  link_host,
  score,
  reason,
});
