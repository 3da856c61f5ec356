import type { Config } from "./config.ts";

/** A relay by the host in SMTP_URL, with the names and networks that its reports come from. */
interface Relay {
  name: string;
  hosts: RegExp;
  reporters: (url: URL) => readonly string[];
}

/**
 * The known relays, by the names of their hosts, and the domains from which they send bounces as MAILER-DAEMON or
 * postmaster. Their customers can't send from there.
 */
export const RELAYS: readonly Relay[] = [
  {
    name: "Amazon SES",
    hosts: /^email-smtp(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com$/,
    reporters: () => ["amazonses.com", "*.amazonses.com"],
  },
  {
    name: "Postmark",
    hosts: /^smtp(?:-broadcasts)?\.postmarkapp\.com$/,
    reporters: () => ["postmarkapp.com"],
  },
  {
    name: "Mailgun",
    hosts: /^smtp(?:\.eu)?\.mailgun\.org$/,
    reporters: () => ["mailgun.org", "mailgun.net"],
  },
  { name: "Resend", hosts: /^smtp\.resend\.com$/, reporters: () => ["resend.com"] },
  {
    name: "SendGrid",
    hosts: /^smtp(?:\.eu)?\.sendgrid\.net$/,
    reporters: () => ["sendgrid.net", "sendgrid.com"],
  },
  {
    name: "Google Workspace",
    hosts: /^smtp(?:-relay)?\.gmail\.com$/,
    reporters: () => ["googlemail.com", "google.com"],
  },
  {
    name: "Microsoft 365",
    hosts: /^smtp\.office365\.com$|\.mail\.protection\.outlook\.com$/,
    // Its reports come from the tenant's own domain, which the user of the login is at.
    reporters: ({ username }) => [
      ...[domainOfUser(username)].filter((domain) => domain !== undefined),
      "outlook.com",
    ],
  },
  {
    name: "Brevo",
    hosts: /^smtp-relay\.(?:brevo|sendinblue)\.com$/,
    reporters: () => ["brevo.com", "sendinblue.com", "*.mailin.fr"],
  },
  {
    name: "Mailjet",
    hosts: /^in(?:-v3)?\.mailjet\.com$/,
    reporters: () => ["mailjet.com", "bnc3.mailjet.com"],
  },
  {
    name: "SparkPost",
    hosts: /^smtp(?:\.eu)?\.sparkpostmail\.com$/,
    reporters: () => ["sparkpostmail.com", "eu.sparkpostmail.com"],
  },
  {
    name: "Fastmail",
    hosts: /^smtp\.(?:fastmail\.com|messagingengine\.com)$/,
    reporters: () => ["messagingengine.com", "*.messagingengine.com"],
  },
];

/** The hosts whose reports about relayed mail the service believes, and the reason. */
export interface BelievedReporters {
  reporters: readonly string[];
  why: string;
}

/**
 * The reporters of TRUSTED_REPORTERS, else those of the relay in SMTP_URL: from a table, or the relay's own host. Without
 * a relay nobody is.
 */
export function believedReporters({
  trusted_reporters,
  smtp_url,
}: Pick<Config, "trusted_reporters" | "smtp_url">): BelievedReporters {
  if (trusted_reporters !== undefined)
    return { reporters: trusted_reporters, why: "as TRUSTED_REPORTERS says" };
  if (smtp_url === undefined || smtp_url.startsWith("mx:"))
    return { reporters: [], why: "as no relay takes mail from here" };
  const url = new URL(smtp_url);
  const host = decodeURIComponent(url.hostname)
    .replace(/^\[|\]$/g, "")
    .toLowerCase();
  const relay = RELAYS.find(({ hosts }) => hosts.test(host));
  if (relay !== undefined) return { reporters: relay.reporters(url), why: `as SMTP_URL names ${relay.name}` };
  if (host === "localhost") return { reporters: ["127.0.0.1", "::1"], why: "as SMTP_URL names this machine" };
  return { reporters: [host], why: "as SMTP_URL names that host" };
}

/** Names the believed hosts in a sentence. */
export function reportersInWords({ reporters, why }: BelievedReporters): string {
  return reporters.length === 0
    ? `No relay is believed about bounces, ${why}.`
    : `${reporters.join(", ")} ${reporters.length === 1 ? "is" : "are"} believed about bounces, ${why}.`;
}

function domainOfUser(username: string): string | undefined {
  const user = decodeURIComponent(username).toLowerCase();
  return /^[^@]+@([a-z0-9.-]+)$/.exec(user)?.[1];
}
