import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { RecipientResult, Transport } from "@letterslot/core/ports";
import { type Finding, failed, ok } from "./checks.ts";

/** The mailbox that receives the doctor's mail. */
export interface Mailbox {
  address: string;
  /** The whole mails that arrived so far. */
  arrived(): Promise<readonly string[]> | readonly string[];
}

/** The route of the doctor's mail. */
export interface Way {
  transport: Pick<Transport, "send">;
  /** The means of sending, as the end of a sentence. */
  over: string;
}

const LOOK_MS = 250;

/** Sends a mail to itself over the way that mail takes, and waits until it has come in. */
export async function examineSelfMail(
  { transport, over }: Way,
  { address, arrived }: Mailbox,
  now: Date,
  signal: AbortSignal,
): Promise<Finding> {
  const token = randomBytes(12).toString("hex");
  const started = performance.now();
  const [result] = await transport.send({
    from: address,
    envelope: { mail_from: address, rcpt_to: [address] },
    raw: probeMail(address, token, now),
  } as Parameters<Transport["send"]>[0]);
  if (result?.outcome !== "accepted") return refused(result, over);
  while (!signal.aborted) {
    const mails = await arrived();
    const found = mails.find((raw) => raw.includes(token));
    if (found !== undefined && isReport(found))
      return failed(
        `A mail to ${address} was returned.`,
        `See why in the log of what took it: it was sent ${over}.`,
      );
    if (found !== undefined)
      return ok(`A mail sent ${over} came in after ${Math.round(performance.now() - started)} ms.`);
    await pause(LOOK_MS);
  }
  return failed(
    `A mail sent ${over} was taken but didn't come in.`,
    "Check the MX record of MAIL_DOMAIN, that its port 25 leads to SMTP_PORT here, and the log of what took the mail.",
  );
}

function refused(result: RecipientResult | undefined, over: string): Finding {
  return failed(
    `A mail could not be sent ${over}: ${result?.detail ?? "there was no answer"}`,
    "The answer says why; check SMTP_URL and what the server there allows this sender.",
  );
}

function probeMail(address: string, token: string, now: Date): Uint8Array {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return Buffer.from(
    [
      `From: <${address}>`,
      `To: <${address}>`,
      "Subject: Letterslot doctor",
      `Date: ${now.toUTCString().replace("GMT", "+0000")}`,
      `Message-ID: <${token}@${domain}>`,
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "",
      `This mail shows that mail from here comes back here. ${token}`,
      "",
    ].join("\r\n"),
  );
}

/** Whether a mail is the report that another couldn't be delivered. */
const isReport = (raw: string): boolean =>
  /^content-type:\s*multipart\/report/im.test(raw.split(/\r?\n\r?\n/)[0] ?? "");
