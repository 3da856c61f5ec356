// Amazon SES: a configuration set whose events go to an SNS topic with an HTTPS subscription to this endpoint, with raw
// message delivery off. SES_TOPIC_ARN is that topic's: anybody can sign with a topic of their own.
import { createVerify, X509Certificate } from "node:crypto";
import { done, type Report, refused, report } from "./report.ts";

/** The fields of an SNS request that its signature covers, in this order. */
const SIGNED = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: [
    ...["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  ],
} as const;
const ALGORITHMS: Record<string, string> = { "1": "RSA-SHA1", "2": "RSA-SHA256" };
/** Certificates and confirmations come from SNS itself, and from nowhere else. */
const SNS_HOST = /^sns\.[a-z]{2}(?:-[a-z]+)+-\d\.amazonaws\.com$/;

type Sns = Record<string, string>;

/** Whether an address is at SNS, over https. */
function isAtSns(address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(address)) return false;
  const { protocol, hostname, port, username } = new URL(address);
  return protocol === "https:" && SNS_HOST.test(hostname) && port === "" && username === "";
}

const textAt = async (url: string): Promise<string> => {
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
};

async function isSigned(sns: Sns, fetchText: typeof textAt): Promise<boolean> {
  const fields = SIGNED[sns["Type"] as keyof typeof SIGNED];
  const algorithm = ALGORITHMS[sns["SignatureVersion"] ?? ""];
  const url = sns["SigningCertURL"];
  if (fields === undefined || algorithm === undefined || url === undefined || !isAtSns(url)) return false;
  const signed = fields.flatMap((name) => (sns[name] === undefined ? [] : [`${name}\n${sns[name]}\n`]));
  const { publicKey } = new X509Certificate(await fetchText(url));
  return createVerify(algorithm)
    .update(signed.join(""))
    .verify(publicKey, sns["Signature"] ?? "", "base64");
}

export async function receive(request: Request, fetchText = textAt): Promise<Response> {
  const sns = (await request.json()) as Sns;
  if (sns["TopicArn"] !== process.env["SES_TOPIC_ARN"] || !(await isSigned(sns, fetchText)))
    return refused("not signed by this topic");
  if (sns["Type"] === "SubscriptionConfirmation") {
    if (!isAtSns(sns["SubscribeURL"])) return refused("not a confirmation of SNS");
    await fetchText(sns["SubscribeURL"] ?? "");
    return done();
  }
  await report(reportsOf(JSON.parse(sns["Message"] ?? "{}")));
  return done();
}

interface SesEvent {
  eventType?: string;
  notificationType?: string;
  mail: { messageId: string };
  bounce?: {
    bounceType: string;
    timestamp: string;
    bouncedRecipients: { emailAddress: string; diagnosticCode?: string }[];
  };
  complaint?: { timestamp: string; complainedRecipients: { emailAddress: string }[] };
  delivery?: { timestamp: string; recipients: string[]; smtpResponse?: string };
  deliveryDelay?: {
    timestamp: string;
    delayType: string;
    delayedRecipients: { emailAddress: string; diagnosticCode?: string }[];
  };
}

/** SES replaces the Message-ID: its own id is what it said when it took the mail. */
function reportsOf({ mail, bounce, complaint, delivery, deliveryDelay }: SesEvent): Report[] {
  const provider_id = mail.messageId;
  if (bounce !== undefined)
    return bounce.bouncedRecipients.map(({ emailAddress, diagnosticCode }) => ({
      ...{ provider_id, recipient: emailAddress, type: "bounced" as const, at: bounce.timestamp },
      ...{ permanent: bounce.bounceType === "Permanent", detail: diagnosticCode ?? "" },
    }));
  if (complaint !== undefined)
    return complaint.complainedRecipients.map(({ emailAddress }) => ({
      ...{ provider_id, recipient: emailAddress, type: "complained" as const, at: complaint.timestamp },
    }));
  if (deliveryDelay !== undefined)
    return deliveryDelay.delayedRecipients.map(({ emailAddress, diagnosticCode }) => ({
      ...{ provider_id, recipient: emailAddress, type: "deferred" as const, at: deliveryDelay.timestamp },
      detail: diagnosticCode ?? deliveryDelay.delayType,
    }));
  return (delivery?.recipients ?? []).map((recipient) => ({
    ...{ provider_id, recipient, type: "delivered" as const, at: delivery?.timestamp ?? "" },
    detail: delivery?.smtpResponse ?? "",
  }));
}
