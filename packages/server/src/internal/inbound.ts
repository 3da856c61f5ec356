import { LIMITS, type ReceiveReport } from "@letterslot/core";
import { Base64Bytes, failureOf, fileFields, sameSecret } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { z } from "zod";
import { readBytes, readJson } from "../request/body.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";

const PATH = "/api/v1/internal/inbound";
const MAX_RECIPIENTS = 100;

const Recipients = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",").map((each) => each.trim()) : value),
  z
    .array(z.string().min(1).max(320))
    .min(1, { error: "no_recipients" })
    .max(MAX_RECIPIENTS, { error: "too_many_recipients" }),
);

/**
 * A mail and its envelope, from an operator's mail server. Bounces have an empty
 * `mail_from`.
 */
const InboundMail = z.strictObject({
  mail_from: z.string().max(320).default(""),
  rcpt_to: Recipients,
  client_ip: z.union([z.ipv4(), z.ipv6()]).nullish(),
  helo: z.string().max(255).nullish(),
  raw: Base64Bytes("must be Base64"),
});

const FILES = fileFields(InboundMail);

/**
 * Mounts `POST /api/v1/internal/inbound` for production mail: message/rfc822 with the envelope in headers, or
 * JSON. Authenticated by X-Svc-Inbound-Secret; without a configured secret the path is 404.
 */
export function mountInbound(
  app: Hono<ServerEnv>,
  { letterslot }: ServerState,
  secret: string | undefined,
): void {
  if (secret === undefined) return;
  app.post(PATH, async (c) => {
    if (!sameSecret(c.req.header("x-svc-inbound-secret") ?? "", secret))
      throw fail("invalid_operator_secret");
    const { raw, ...envelope } = await readMail(c);
    if (raw.byteLength > LIMITS.raw_mail_bytes) throw fail("message_too_large");
    const report = await letterslot.receive({ raw, envelope, origin: "internal_path" });
    if (report.results.some(({ reason }) => reason === "message_too_large")) throw fail("message_too_large");
    // The others have the mail; sent again it is a duplicate to them.
    if (report.results.some(({ outcome }) => outcome === "deferred")) throw fail("recipient_deferred");
    return c.json(summaryOf(report));
  });
  refuseOtherMethods(app, PATH);
}

async function readMail(c: ServerContext) {
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const isRaw = type === "message/rfc822";
  const bytes = isRaw ? await readBytes(c) : new Uint8Array();
  const input = isRaw
    ? { ...envelopeHeaders(c), raw: "" }
    : await readJson(c, LIMITS.request_body_bytes, FILES);
  const parsed = InboundMail.safeParse(input);
  if (!parsed.success) throw failureOf(parsed.error, { schema: InboundMail, value: input });
  const { mail_from, rcpt_to, client_ip, helo, raw } = parsed.data;
  const envelope = { mail_from, rcpt_to, client_ip: client_ip ?? null, helo: helo ?? null };
  return { ...envelope, raw: isRaw ? bytes : raw };
}

function envelopeHeaders(c: ServerContext): Record<string, string | undefined> {
  return {
    mail_from: withoutBrackets(c.req.header("x-svc-mail-from") ?? ""),
    rcpt_to: c.req.header("x-svc-rcpt-to") ?? "",
    client_ip: c.req.header("x-svc-client-ip"),
    helo: c.req.header("x-svc-helo"),
  };
}

const withoutBrackets = (path: string): string => /^<(.*)>$/.exec(path.trim())?.[1] ?? path.trim();

/**
 * Summarizes the report: `accepted` if any recipient accepted the mail, `dropped` if all of those dropped it,
 * `reason` if all recipients have the same one.
 */
function summaryOf({ results }: ReceiveReport) {
  const perRecipient = results.map(({ recipient, outcome, reason, message_id }) => {
    // Expired inboxes drop mail like paused ones: the operator's server has accepted it.
    const dropped = outcome === "dropped" || reason === "inbox_expired";
    return { recipient, accepted: outcome !== "refused" || dropped, dropped, reason, message_id };
  });
  const accepted = perRecipient.filter((result) => result.accepted);
  const reasons = new Set(perRecipient.map(({ reason }) => reason));
  return {
    accepted: accepted.length > 0,
    dropped: accepted.length > 0 && accepted.every(({ dropped }) => dropped),
    reason: reasons.size === 1 ? ([...reasons][0] ?? null) : null,
    results: perRecipient,
  };
}
