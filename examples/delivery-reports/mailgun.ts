// Mailgun: webhooks for delivered, permanent failure, temporary failure and complained. They are signed with
// MAILGUN_SIGNING_KEY, the account's webhook signing key.
import { createHmac } from "node:crypto";
import { done, isNow, isSame, type Report, refused, report, timeOf } from "./report.ts";

interface MailgunCall {
  signature: { timestamp: string; token: string; signature: string };
  "event-data": {
    event: string;
    severity?: string;
    timestamp: number;
    recipient: string;
    message: { headers: { "message-id": string } };
    "delivery-status"?: { message?: string; description?: string };
  };
}

export async function receive(request: Request): Promise<Response> {
  const { signature, "event-data": event } = (await request.json()) as MailgunCall;
  const hmac = createHmac("sha256", process.env["MAILGUN_SIGNING_KEY"] ?? "");
  const wanted = hmac.update(signature.timestamp + signature.token).digest();
  if (!isNow(Number(signature.timestamp)) || !isSame(Buffer.from(signature.signature, "hex"), wanted))
    return refused("wrong signature");
  await report(reportsOf(event));
  return done();
}

function reportsOf(event: MailgunCall["event-data"]): Report[] {
  const { message, recipient, timestamp, severity, "delivery-status": status = {} } = event;
  const about = {
    ...{ message_id: message.headers["message-id"], recipient, at: timeOf(timestamp) },
    detail: status.message || status.description || "",
  };
  if (event.event === "delivered") return [{ ...about, type: "delivered" }];
  if (event.event === "complained") return [{ ...about, type: "complained" }];
  if (event.event !== "failed") return [];
  return [
    severity === "permanent"
      ? { ...about, type: "bounced", permanent: true }
      : { ...about, type: "deferred" },
  ];
}
