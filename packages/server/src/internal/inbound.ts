import {
  type ErrorCode,
  errorCatalogue,
  fail,
  limits,
  type ReceiveReport,
  sameSecret,
} from "@letterslot/core";
import type { Hono } from "hono";
import { z } from "zod";
import { jsonObject, readBytes } from "../request/body.ts";
import type { Edge, ServerContext, ServerEnv } from "../request/context.ts";

const path = "/api/v1/internal/inbound";
const recipientsMax = 100;

const Recipients = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",").map((each) => each.trim()) : value),
  z
    .array(z.string().min(1).max(320))
    .min(1, { error: "no_recipients" })
    .max(recipientsMax, { error: "too_many_recipients" }),
);

/**
 * A mail with its envelope, as an operator's own mail server hands it in (decisions, section 12b). An empty
 * `mail_from` is a bounce.
 */
const Inbound = z.strictObject({
  mail_from: z.string().max(320).default(""),
  rcpt_to: Recipients,
  client_ip: z.union([z.ipv4(), z.ipv6()]).nullish(),
  helo: z.string().max(255).nullish(),
  raw: z.base64(),
});

/**
 * `POST /api/v1/internal/inbound`: production mail, as message/rfc822 with the envelope in headers, or as
 * JSON. Authenticated by X-Svc-Inbound-Secret; without a configured secret the path answers 404.
 */
export function mountInbound(app: Hono<ServerEnv>, { letterslot }: Edge, secret: string | undefined): void {
  if (secret === undefined) return;
  app.post(path, async (c) => {
    if (!sameSecret(c.req.header("x-svc-inbound-secret") ?? "", secret))
      throw fail("invalid_operator_secret");
    const { raw, ...envelope } = await readMail(c);
    if (raw.byteLength > limits.raw_mail_bytes) throw fail("message_too_large");
    const report = await letterslot.receive({ raw, envelope, origin: "internal_path" });
    return c.json(shown(report));
  });
  app.all(path, (c) => {
    c.header("Allow", "POST");
    throw fail("method_not_allowed");
  });
}

async function readMail(c: ServerContext) {
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const bytes = await readBytes(c);
  const said = type === "message/rfc822" ? { ...envelopeHeaders(c), raw: "" } : jsonObject(bytes);
  const parsed = Inbound.safeParse(said);
  if (!parsed.success) throw refusalOf(parsed.error);
  const { mail_from, rcpt_to, client_ip, helo, raw } = parsed.data;
  const envelope = { mail_from, rcpt_to, client_ip: client_ip ?? null, helo: helo ?? null };
  return { ...envelope, raw: type === "message/rfc822" ? bytes : Buffer.from(raw, "base64") };
}

/** The first thing that is wrong, in the catalogue's words. */
function refusalOf({ issues: [issue] }: z.ZodError): Error {
  const param = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path.join(".");
  const code = issue?.code === "unrecognized_keys" ? "unknown_parameter" : (issue?.message ?? "");
  return fail(
    Object.hasOwn(errorCatalogue, code) ? (code as ErrorCode) : "invalid_request",
    param ? { param } : {},
  );
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
 * `accepted`: somebody took it; `dropped`: whoever took it dropped it; `reason` is given when all have the
 * same one.
 */
function shown({ results }: ReceiveReport) {
  const shownResults = results.map(({ recipient, outcome, reason, message_id }) => {
    // An expired inbox and one that is paused both drop here: this path's peer has taken the mail already
    // (decisions, section 12b).
    const dropped = outcome === "dropped" || reason === "inbox_expired";
    return { recipient, accepted: outcome !== "refused" || dropped, dropped, reason, message_id };
  });
  const accepted = shownResults.filter((result) => result.accepted);
  const reasons = new Set(shownResults.map(({ reason }) => reason));
  return {
    accepted: accepted.length > 0,
    dropped: accepted.length > 0 && accepted.every(({ dropped }) => dropped),
    reason: reasons.size === 1 ? ([...reasons][0] ?? null) : null,
    results: shownResults,
  };
}
