// Postmark: webhooks for delivery, bounce and spam complaint at https://postmark:<POSTMARK_PASSWORD>@your-host/. Postmark signs
// nothing: the password in the address is what tells it from others.
import { done, isSame, type Report, refused, report } from "./report.ts";

interface PostmarkEvent {
  RecordType: string;
  MessageID: string;
  Recipient?: string;
  Email?: string;
  /** The kind of a bounce, such as HardBounce or SoftBounce. */
  Type?: string;
  Details?: string;
  DeliveredAt?: string;
  BouncedAt?: string;
}

/** Bounces after which the address never takes mail. */
const PERMANENT = new Set(["HardBounce", "BadEmailAddress", "ManuallyDeactivated"]);
/** Those that only say that it takes longer. */
const DELAYS = new Set(["Transient", "DnsError"]);

export async function receive(request: Request): Promise<Response> {
  const wanted = Buffer.from(`Basic ${btoa(`postmark:${process.env["POSTMARK_PASSWORD"]}`)}`);
  if (!isSame(Buffer.from(request.headers.get("authorization") ?? ""), wanted))
    return refused("wrong password");
  await report(reportsOf((await request.json()) as PostmarkEvent));
  return done();
}

function reportsOf(event: PostmarkEvent): Report[] {
  const { RecordType, MessageID: provider_id, Details: detail = "", Type = "" } = event;
  const about = { provider_id, recipient: event.Recipient ?? event.Email ?? "", detail };
  if (RecordType === "Delivery") return [{ ...about, type: "delivered", at: event.DeliveredAt ?? "" }];
  const at = event.BouncedAt ?? "";
  if (RecordType === "SpamComplaint") return [{ ...about, type: "complained", at }];
  if (RecordType !== "Bounce") return [];
  if (DELAYS.has(Type)) return [{ ...about, type: "deferred", at }];
  return [{ ...about, type: "bounced", permanent: PERMANENT.has(Type), at }];
}
