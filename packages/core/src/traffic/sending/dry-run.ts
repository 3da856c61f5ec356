import { createHash } from "node:crypto";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { callerId, reachesInbox } from "../../kernel/access/caller.ts";
import { inboxDomain } from "../../kernel/addresses/inbox-domain.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { findReferenced } from "../../kernel/inbox/references.ts";
import { countOrFail } from "../../kernel/rate.ts";
import { askingKey, budgetLeft, checkBudget } from "../../limits/budgets/index.ts";
import { checkPlan, checkStorage } from "../../limits/plans/index.ts";
import { tripCanaries } from "../../mailbox/canaries/index.ts";
import { checkSize, mediaTypeOf } from "../../mailbox/messages/index.ts";
import { distinctAddresses } from "../../model/address.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import type { SendCheck } from "../../model/send-checks.ts";
import { cleanDraft, mailDigest, readsAs, reasonsFor, senderOf } from "../../owners/approvals/index.ts";
import { checkTextRate, findActiveNumber } from "../../phone/telephony/index.ts";
import { faultOf, judgeLeaving, type LateFacts, type Leaving } from "../gate/index.ts";
import { checkReplied } from "./reply-guard.ts";

const MINUTE_MS = 60_000;

/** What is tried. */
export interface Trial {
  leaving: Leaving;
  send_at: string | null;
  approved?: boolean;
  /** It is stored already, so its size isn't checked again. */
  is_draft?: boolean;
  /** The draft that would be sent, which is no reply of its own. */
  draft_id?: string;
  allow_multiple?: boolean | undefined;
  /** Fails while another holds the thread that is written in. */
  checkLease?: ((storage: Pick<InboxContext["storage"], "get">) => Promise<void>) | undefined;
}

/**
 * Judges what would be sent as sending it would, and stores, sends and counts nothing of it. Fails with `rate_limited`
 * beyond 60 a minute for one caller.
 */
export async function tryOut(ctx: InboxContext, trial: Trial): Promise<SendCheck> {
  const { caller, storage, inbox, now } = ctx;
  const cap = { name: `dry_runs:${callerId(caller)}`, max: LIMITS.dry_runs_per_minute, window_ms: MINUTE_MS };
  await countOrFail(storage, cap, now);
  const { leaving, send_at, approved = false } = trial;
  const files = filesOf(leaving);
  const late = (asks: boolean) => lateFacts(ctx, trial, files, asks);
  const judged = await judgeLeaving(ctx, leaving, { approved, late });
  const { asks, reasons } = judged;
  // It trips as if it were sent, but sending goes on.
  if (judged.canaries.length > 0) await tripCanaries(ctx, inbox, judged.canaries, now, { only_tried: true });
  const claimed = trial.checkLease && (await faultOf(trial.checkLease(storage)));
  const lease = trial.checkLease === undefined ? [] : [leaseCheck(claimed ?? null)];
  const checks = [...judged.checks, ...lease];
  const scheduled = send_at === null ? [] : [SCHEDULED(send_at)];
  const key_id = askingKey(caller);
  const left = key_id === null ? null : await budgetLeft(storage, key_id, now);
  const refused = checks.some(({ result }) => result === "fail");
  const mayRead = readsAs(caller);
  return {
    object: "send_check",
    would: refused ? "refuse" : asks || send_at !== null ? "hold" : "send",
    from: leaving.way === "mail" ? inbox.email : ((await findActiveNumber(storage, inbox.id))?.e164 ?? ""),
    ...{ to: [...leaving.to], cc: [...leaving.cc], bcc: [...leaving.bcc], subject: leaving.subject ?? "" },
    thread_id: await threadIdOf(ctx, leaving),
    size_bytes: bytesOf(leaving, files),
    digest: leaving.way === "mail" ? await digestOf(ctx, trial, files) : null,
    checks: [...checks, ...scheduled].map(({ name, result, code, detail, param }) => ({
      ...{ name, result, code, detail, param },
    })),
    reasons: reasonsFor({ reasons, inbox_id: inbox.id }, (of) => mayRead(of) && reachesInbox(caller, of)),
    budget: { sends_left: left?.sends_left ?? null, new_recipients_left: left?.new_recipients_left ?? null },
  };
}

const leaseCheck = (fault: Awaited<ReturnType<typeof faultOf>>) => ({
  name: "thread_lease",
  result: fault === null ? ("pass" as const) : ("fail" as const),
  ...{ code: fault?.code ?? null, detail: fault?.message ?? null, param: null },
});

const SCHEDULED = (send_at: string) =>
  ({
    name: "send_at",
    result: "hold",
    code: null,
    detail: `It would wait until ${send_at}.`,
    param: "send_at",
  }) as const;

interface Files {
  stored: readonly StoredAttachment[];
  uploads: readonly NonNullable<Leaving["uploads"]>[number][];
}

const filesOf = ({ uploads = [], stored = [] }: Leaving): Files => ({ stored, uploads });

/** What is found only where a mail is stored: of mail that would wait, as much as is checked before it waits. */
async function lateFacts(ctx: InboxContext, trial: Trial, files: Files, asks: boolean): Promise<LateFacts> {
  const { leaving, send_at } = trial;
  const { storage, inbox, now } = ctx;
  const { account_id } = inbox;
  const waits = asks || send_at !== null;
  const recipients = { to: leaving.to, cc: leaving.cc, bcc: leaving.bcc };
  const budget = await faultOf(
    checkBudget(storage, askingKey(ctx.caller), { ...recipients, account_id, send_at }, now),
  );
  if (leaving.way !== "mail") {
    if (waits) return { budget };
    if (leaving.way === "call") return { budget };
    const plan = await faultOf(checkPlan(ctx, storage, account_id, "monthly_sends", 1, now));
    const rate = ctx.options.plans === null ? await faultOf(checkTextRate(storage, account_id, now)) : null;
    return { plan: plan ?? rate, budget };
  }
  const mail = { ...whole(leaving), stored: files.stored };
  const amount = distinctAddresses([...leaving.to, ...leaving.cc, ...leaving.bcc]).length;
  const { draft_id, allow_multiple } = trial;
  const { in_reply_to } = leaving;
  const [size, room, domain, plan, loop, reply] = await Promise.all([
    trial.is_draft === true ? null : faultOf(checkSize(ctx, mail, files.uploads)),
    trial.is_draft === true ? null : faultOf(checkStorage(ctx, account_id, uploadedBytes(leaving, files))),
    waits ? null : domainFault(ctx),
    waits ? null : faultOf(checkPlan(ctx, storage, account_id, "monthly_sends", amount, now)),
    loopFault(ctx, leaving),
    trial.approved === true
      ? null
      : faultOf(checkReplied(storage, inbox, { in_reply_to, allow_multiple, draft_id })),
  ]);
  const cleaning = asks
    ? await faultOf(cleanDraft(ctx, { ...whole(leaving), attachments: [...files.stored], html_changes: [] }))
    : null;
  return { size: size ?? cleaning, storage: room, domain, reply, loop, plan, budget };
}

async function domainFault(ctx: InboxContext) {
  return (await inboxDomain(ctx, ctx.storage, ctx.inbox)).sends ? null : fail("domain_not_verified");
}

async function loopFault(ctx: InboxContext, leaving: Leaving) {
  const thread_id = await threadIdOf(ctx, leaving);
  const thread = thread_id === null ? undefined : await ctx.storage.get("threads", thread_id);
  return thread?.loop_stopped_at == null ? null : fail("loop_stopped");
}

async function threadIdOf(
  { storage, inbox }: InboxContext,
  { thread_id, references = [] }: Leaving,
): Promise<string | null> {
  if (thread_id != null) return thread_id;
  if (references.length === 0) return null;
  const [nearest] = await findReferenced(storage, inbox.id, references);
  return nearest?.thread_id ?? null;
}

const whole = ({
  to,
  cc,
  bcc,
  reply_to,
  names,
  subject,
  text,
  html,
  headers,
  in_reply_to,
  references,
}: Leaving) => ({
  ...{ to: [...to], cc: [...cc], bcc: [...bcc], reply_to: reply_to ?? null, names: { ...names } },
  ...{ subject: subject ?? "", text: text ?? null, html: html ?? null, headers: { ...headers } },
  ...{ in_reply_to: in_reply_to ?? null, references: [...(references ?? [])] },
});

const uploadedBytes = ({ text, html }: Leaving, { uploads }: Files): number =>
  uploads.reduce((sum, { bytes }) => sum + bytes.length, (text?.length ?? 0) + (html?.length ?? 0));

const bytesOf = (leaving: Leaving, files: Files): number =>
  files.stored.reduce((sum, { size_bytes }) => sum + size_bytes, uploadedBytes(leaving, files));

async function digestOf(
  ctx: InboxContext,
  { leaving, send_at }: Trial,
  { stored, uploads }: Files,
): Promise<string> {
  const uploaded = uploads.map(({ bytes, ...upload }) => ({
    ...{ id: "", size_bytes: bytes.length },
    ...{ filename: upload.filename, ...mediaTypeOf(upload, bytes) },
    content_id: upload.content_id?.replace(/^<|>$/g, "") ?? null,
    disposition: upload.content_id === undefined ? ("attachment" as const) : ("inline" as const),
    hash: createHash("sha256").update(bytes).digest("hex"),
  }));
  return mailDigest(await senderOf(ctx, ctx.storage, ctx.inbox), {
    ...{ ...whole(leaving), send_at, kind: "new", call_mode: null },
    attachments: [...stored, ...uploaded],
  });
}
