// Postmark: an inbound stream with "Include raw email content in JSON payload", and its webhook at
// https://postmark:<POSTMARK_PASSWORD>@your-host/. Postmark tries again unless it gets 200 or 403.
import { timingSafeEqual } from "node:crypto";
import { deliver } from "./deliver.ts";

/** The fields of Postmark's JSON that this handler uses. */
interface Inbound {
  FromFull: { Email: string };
  OriginalRecipient: string;
  RawEmail: string;
}

export async function receive(request: Request): Promise<Response> {
  const wanted = Buffer.from(`Basic ${btoa(`postmark:${process.env["POSTMARK_PASSWORD"]}`)}`);
  const given = Buffer.from(request.headers.get("authorization") ?? "");
  const known = given.length === wanted.length && timingSafeEqual(given, wanted);
  if (!known) return new Response("wrong password", { status: 401 });
  const { FromFull, OriginalRecipient, RawEmail } = (await request.json()) as Inbound;
  const raw = Buffer.from(RawEmail).toString("base64");
  const taken = await deliver({ mail_from: FromFull.Email, rcpt_to: [OriginalRecipient], raw });
  return new Response(null, { status: taken ? 200 : 403 });
}
