// Resend: a webhook for email.delivered, email.bounced, email.complained and email.delivery_delayed. It is signed as Svix does
// it, with RESEND_WEBHOOK_SECRET (whsec_…).
import { createHmac } from "node:crypto";
import { done, isNow, isSame, type Report, refused, report } from "./report.ts";

interface ResendEvent {
  type: string;
  created_at: string;
  data: { email_id: string; to: string[]; bounce?: { message?: string; type?: string } };
}

export async function receive(request: Request): Promise<Response> {
  const body = await request.text();
  const header = (name: string) => request.headers.get(`svix-${name}`) ?? "";
  const secret = (process.env["RESEND_WEBHOOK_SECRET"] ?? "").replace(/^whsec_/, "");
  const wanted = createHmac("sha256", Buffer.from(secret, "base64"))
    .update(`${header("id")}.${header("timestamp")}.${body}`)
    .digest();
  // While a secret is replaced there are several, each after its version.
  const given = header("signature")
    .split(" ")
    .filter((each) => each.startsWith("v1,"))
    .map((each) => Buffer.from(each.slice("v1,".length), "base64"));
  if (!isNow(Number(header("timestamp"))) || !given.some((each) => isSame(each, wanted)))
    return refused("wrong signature");
  await report(reportsOf(JSON.parse(body)));
  return done();
}

const TYPES: Record<string, Report["type"]> = {
  "email.delivered": "delivered",
  "email.bounced": "bounced",
  "email.complained": "complained",
  "email.delivery_delayed": "deferred",
};

function reportsOf({ type: name, created_at, data }: ResendEvent): Report[] {
  const type = TYPES[name];
  if (type === undefined) return [];
  const { email_id: provider_id, to, bounce } = data;
  const more = type === "bounced" ? { permanent: bounce?.type !== "Transient" } : {};
  const at = new Date(created_at).toISOString();
  return to.map((recipient) => ({
    ...{ provider_id, recipient, type, at, detail: bounce?.message ?? "" },
    ...more,
  }));
}
