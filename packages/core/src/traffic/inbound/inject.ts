import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS, MESSAGE_SIZE } from "../../catalogue/limits.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { recordIdempotentAnswer } from "../../kernel/idempotency.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { createTurns, inPieces } from "../../kernel/yield-to-event-loop.ts";
import { composeInParts, type FileToCompose, whole } from "../../mail/mime/compose-in-parts.ts";
import { noProof } from "../../mail/sender/proof.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import {
  Body,
  bodyBytes,
  checkMessageBytes,
  findBody,
  findMessage,
  InlineAttachment,
  largestField,
  mediaTypeOf,
  Recipients,
  Subject,
  showMessage,
  stageBlob,
} from "../../mailbox/messages/index.ts";
import { isAddressOf } from "../../model/address.ts";
import { freeDecoded } from "../../model/base64.ts";
import { Base64Bytes, ClientId, iso, Line, Mailbox, withFewKeys } from "../../model/fields.ts";
import type { NamedMailbox } from "../../model/mailbox.ts";
import type { Message } from "../../model/messages.ts";
import type { MailAddress } from "../../model/parsed-mail.ts";
import type { StatedFields } from "../../model/read-mail.ts";
import { receiveForInbox } from "./receive-for-inbox.ts";
import { lettersLive } from "./redaction/letters-live.ts";
import { removeSecrets } from "./redaction/remove-secrets.ts";

const StatedResult = z
  .enum(["pass", "fail", "softfail", "neutral", "none", "temperror", "permerror", "policy"])
  .default("none");
const Reference = z
  .string()
  .max(998)
  .regex(/^<[^\s<>]+>$/, { error: "invalid_header" });
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,70}$/;

/**
 * Headers that the injector would ignore: those that it writes from other fields, and results that only our own
 * check of a mail states.
 */
const IGNORED_HEADER =
  /^(?:from|sender|reply-to|to|cc|bcc|subject|date|message-id|in-reply-to|references|mime-version|content-.*|return-path|delivered-to|dkim-signature|arc-.*|authentication-results|received-spf)$/i;

/**
 * The input of the test injector: the fields of a mail or a raw one, and the
 * authentication results to assume.
 */
export const InjectInput = z.object({
  inbox_id: InboxId,
  from: Mailbox.optional().describe(
    "The author's address, alone or after a display name; a raw mail's own by default.",
  ),
  to: Recipients.optional().describe(
    `The addresses in To, at most ${LIMITS.recipients}; the inbox's own by default.`,
  ),
  cc: Recipients.optional().describe(`The addresses in Cc, at most ${LIMITS.recipients}.`),
  subject: Subject.optional().describe(`The subject line, at most ${LIMITS.subject_chars} characters.`),
  text: Body.optional().describe(`The text part, at most ${LIMITS.body_chars} characters.`),
  html: Body.optional().describe(`The HTML part, at most ${LIMITS.body_chars} characters.`),
  headers: withFewKeys(
    z.record(
      z
        .string()
        .regex(HEADER_NAME, { error: "invalid_header" })
        .refine((name) => !IGNORED_HEADER.test(name), { error: "invalid_header" }),
      Line(LIMITS.custom_header_chars),
    ),
    "invalid_header",
  )
    .optional()
    .describe("More headers of the mail, by name: none that other fields set, each one line."),
  in_reply_to: Reference.optional().describe("The Message-ID that it replies to, with angle brackets."),
  references: z
    .array(Reference)
    .max(100)
    .optional()
    .describe("The Message-IDs of the conversation before it, at most 100."),
  attachments: z
    .array(InlineAttachment)
    .max(LIMITS.attachments, { error: "too_many_attachments" })
    .optional()
    .describe(`The attached files, at most ${LIMITS.attachments}. ${MESSAGE_SIZE}`),
  client_id: ClientId.optional(),
  raw: Base64Bytes("mail_unreadable")
    .optional()
    .describe(`A whole mail (RFC 5322) in Base64, instead of the fields. ${MESSAGE_SIZE}`),
  imported: z
    .boolean()
    .default(false)
    .describe(
      "Whether it is old mail of another mailbox: then it is read, makes no task and no event, and wakes nobody. It is labelled `imported` for good. False by default.",
    ),
  auth: z
    .strictObject({
      spf: StatedResult.describe("The result of SPF to assume."),
      dkim: StatedResult.describe("The result of DKIM to assume."),
      dmarc: StatedResult.describe("The result of DMARC to assume."),
    })
    .optional()
    .describe("The results of sender authentication to assume; each is `none` by default."),
});

/**
 * Sends a test mail through the inbound pipeline. It is permanently labelled `injected`, may create an
 * untrusted task, and never counts as an owner's. Fails with `invalid_request`, `inbox_paused`, `inbox_expired`,
 * `message_too_large` or `mail_unreadable`.
 */
export async function inject(
  ctx: InboxContext,
  input: z.output<typeof InjectInput>,
): Promise<z.input<typeof Message>> {
  const { inbox, now, storage, options } = ctx;
  const state = stateOf(inbox, now);
  if (state === "paused") throw fail("inbox_paused");
  if (state === "expired") throw fail("inbox_expired");
  const mail_from = (read: { from: readonly MailAddress[] }) =>
    input.from?.address ?? read.from[0]?.address ?? "";
  const { spf = "none", dkim = "none", dmarc = "none" } = input.auth ?? {};
  const raw = await rawOf(ctx, input);
  if (raw.length > LIMITS.raw_mail_bytes) throw fail("message_too_large", { param: largestIn(input) });
  const screening_timeout_ms = inbox.screening === "off" ? null : options.screeningTimeoutMs;
  const stated = statedFieldsOf(input);
  const reading = stated === undefined ? {} : { stated };
  const letters_live = await lettersLive(ctx, inbox.account_id, now);
  const read = await ctx.parser.parse(raw, {
    ...reading,
    screeningTimeoutMs: screening_timeout_ms,
    searchLetters: letters_live,
  });
  if (input.raw !== undefined) checkMessageBytes(read.content_bytes, largestIn(input));
  const proof = noProof("it was injected");
  const clean = await removeSecrets(
    ctx,
    {
      ...{ mail: read, raw, reading, origin: "injected", proof },
      ...{ inboxes: [inbox], letters: [], letters_live },
    },
    now,
  );
  const delivered = await receiveForInbox(
    ctx,
    inbox,
    {
      mail: clean.mail,
      raw: await stageBlob(ctx, clean.raw),
      size_bytes: clean.raw.length,
      redacted: clean.redacted,
      stub: clean.stub,
      mail_from: mail_from(clean.mail),
      came_to: [...clean.mail.to, ...clean.mail.cc]
        .map(({ address }) => address)
        .find((address) => isAddressOf(inbox.email, address)),
      origin: "injected",
      imported: input.imported,
      authentication: {
        ...{ spf, dkim, dmarc, passes: dmarc === "pass" || dkim === "pass", forwarded_by: null },
        reasons: ["stated by the caller of the test injector, not checked"],
      },
      received_at: now,
      proof,
      client_id: input.client_id ?? null,
      also: (work, message, body) => recordIdempotentAnswer(ctx, work, showMessage(message, body, options)),
    },
    now,
  );
  if (delivered.message_id === null)
    throw fail(delivered.reason === "unknown_recipient" ? "inbox_not_found" : delivered.reason);
  const message = await findMessage(storage, inbox.id, delivered.message_id);
  return {
    ...showMessage(message, await findBody(storage, message), options),
    idempotent: delivered.outcome === "duplicate",
  };
}

/** The field that most of an injected mail is in. */
function largestIn({ raw, attachments = [], ...bodies }: z.output<typeof InjectInput>): string {
  if (raw !== undefined) return "raw";
  return attachments.length > 0 ? "attachments" : largestField(bodies, 0);
}

/** The mail as given, or written from its fields. Fails with `invalid_request`. */
async function rawOf(ctx: InboxContext, input: z.output<typeof InjectInput>): Promise<Uint8Array> {
  checkBesideRaw(input);
  if (input.raw !== undefined) return input.raw;
  const { from } = input;
  if (from !== undefined) return composeInput(ctx, { ...input, from });
  throw fail("invalid_request", {
    param: "from",
    message: "A mail that isn't raw needs its author in from.",
  });
}

/** Bytes of a file that are written in one turn of the event loop. */
const PIECE_BYTES = 256 * 1024;

/** Writes a mail from its fields. Takes the bytes of its attachments: they are in the mail then. */
export async function composeInput(
  ctx: InboxContext,
  input: z.output<typeof InjectInput> & { from: NamedMailbox },
): Promise<Uint8Array> {
  const { inbox, now, makeId, contentWorker, yieldToEventLoop } = ctx;
  const inTurn = createTurns(yieldToEventLoop, PIECE_BYTES);
  const attachments = (input.attachments ?? []).map((file): FileToCompose => {
    const { filename, content_base64: bytes, content_id = null } = file;
    const read = () => inPieces(bytes, PIECE_BYTES, inTurn);
    return { filename, ...mediaTypeOf(file, bytes), content_id, size_bytes: bytes.length, read };
  });
  const attached = attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  checkMessageBytes(attached + bodyBytes(input), largestField(input, attached));
  const mail = {
    from: parsed(input.from),
    to: input.to?.map(parsed) ?? [inbox.email],
    cc: input.cc?.map(parsed) ?? [],
    subject: input.subject ?? "",
    text: input.text ?? null,
    html: input.html ?? null,
    attachments,
    message_id: `${makeId("msg")}@injected.invalid`,
    in_reply_to: input.in_reply_to ?? null,
    references: input.references ?? (input.in_reply_to === undefined ? [] : [input.in_reply_to]),
    date: iso(now),
  };
  const raw = await whole(
    await composeInParts(mail, (frame) => workOnContent(contentWorker, "composeMail", frame)),
  );
  for (const { content_base64: bytes } of input.attachments ?? []) freeDecoded(bytes);
  return raw;
}

const parsed = ({ address, name }: NamedMailbox): MailAddress => ({ address, name: name ?? "" });

/** The fields that a raw mail states itself; the same field beside it would be ignored. */
const SAID_BY_RAW = [
  "to",
  "cc",
  "subject",
  "text",
  "html",
  "in_reply_to",
  "references",
  "attachments",
] as const satisfies (keyof z.output<typeof InjectInput>)[];

/** Fails with `invalid_request` when fields of a mail stand beside a raw one. */
function checkBesideRaw(input: z.output<typeof InjectInput>): void {
  const param = SAID_BY_RAW.find((field) => input[field] !== undefined);
  if (input.raw === undefined || param === undefined) return;
  throw fail("invalid_request", {
    param,
    message: `A raw mail has its own ${param}; the field would be ignored.`,
    fix: "Send either raw, with only from, headers and auth beside it, or the fields of a mail.",
  });
}

/**
 * Returns the fields that the caller states about a mail: `from` and headers override those of a raw mail, and the
 * bodies stay exactly as given, although composing a mail from them may change line ends and blanks.
 */
export function statedFieldsOf({
  from,
  headers = {},
  text,
  html,
}: z.output<typeof InjectInput>): StatedFields | undefined {
  if (from === undefined && Object.keys(headers).length === 0) return undefined;
  return {
    ...(from === undefined ? {} : { from: parsed(from) }),
    headers: Object.entries(headers).map(([name, value]) => ({ name: name.toLowerCase(), value })),
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
  };
}
