// SendGrid: the event webhook, with its signature switched on. SENDGRID_PUBLIC_KEY is the verification key that it shows.
import { createPublicKey, createVerify } from "node:crypto";
import { done, isNow, type Report, refused, report, timeOf } from "./report.ts";

interface SendGridEvent {
  event: string;
  email: string;
  timestamp: number;
  "smtp-id"?: string;
  /** Of a bounce: `bounce`, or `blocked` for one that may pass. */
  type?: string;
  reason?: string;
  response?: string;
}

export async function receive(request: Request): Promise<Response> {
  const body = await request.text();
  const header = (name: string) => request.headers.get(`x-twilio-email-event-webhook-${name}`) ?? "";
  const key = createPublicKey({
    key: Buffer.from(process.env["SENDGRID_PUBLIC_KEY"] ?? "", "base64"),
    format: "der",
    type: "spki",
  });
  const signed = createVerify("sha256").update(header("timestamp") + body);
  if (!isNow(Number(header("timestamp"))) || !signed.verify(key, header("signature"), "base64"))
    return refused("wrong signature");
  await report((JSON.parse(body) as SendGridEvent[]).flatMap(reportsOf));
  return done();
}

function reportsOf(event: SendGridEvent): Report[] {
  const { event: name, email: recipient, timestamp, "smtp-id": message_id, reason, response } = event;
  if (message_id === undefined) return [];
  const about = { message_id, recipient, at: timeOf(timestamp), detail: reason ?? response ?? "" };
  if (name === "delivered") return [{ ...about, type: "delivered" }];
  if (name === "deferred") return [{ ...about, type: "deferred" }];
  if (name === "spamreport") return [{ ...about, type: "complained" }];
  if (name !== "bounce") return [];
  return [{ ...about, type: "bounced", permanent: event.type !== "blocked" }];
}
