// Mailgun: a route that forwards to https://your-host/mime (the path must end in "mime" for the whole mail).
// Mailgun tries again unless it gets 200 or 406.
import { createHmac, timingSafeEqual } from "node:crypto";
import { deliver } from "./deliver.ts";

const MAX_AGE_SECONDS = 300;

export async function receive(request: Request): Promise<Response> {
  const form = await request.formData();
  const field = (name: string) => (form.get(name) ?? "") as string;
  const hmac = createHmac("sha256", process.env["MAILGUN_SIGNING_KEY"] ?? "");
  const wanted = hmac.update(field("timestamp") + field("token")).digest();
  const given = Buffer.from(field("signature"), "hex");
  const is_new = Math.abs(Date.now() / 1_000 - Number(field("timestamp"))) < MAX_AGE_SECONDS;
  const known = is_new && given.length === wanted.length && timingSafeEqual(given, wanted);
  if (!known) return new Response("wrong signature", { status: 401 });
  const raw = Buffer.from(field("body-mime")).toString("base64");
  const taken = await deliver({ mail_from: field("sender"), rcpt_to: [field("recipient")], raw });
  return new Response(null, { status: taken ? 200 : 406 });
}
