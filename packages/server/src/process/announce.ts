import type { Log } from "@letterslot/core/ports";
import type { HttpListener } from "../http/listen.ts";
import type { Config } from "./config.ts";
import type { DataDir } from "./data-dir.ts";
import { believedReporters } from "./relay-reporters.ts";

/** A server that has started. */
interface Started {
  config: Config;
  base_url: string;
  http: HttpListener;
  smtp: { host: string; port: number } | undefined;
  dataDir: DataDir;
  /** Captured mail is shown at /outbox. */
  outbox: boolean;
  /** People can let apps in. */
  oauth: boolean;
  /** The provider of phone numbers, texts and calls, and whether a person's telephone is at /phone. */
  telephony: { name: string; page: boolean };
}

/**
 * Logs that the server has started, and prints its addresses and the first steps: to the terminal, or to stderr where
 * standard output is only for the log.
 */
export function announce(started: Started, log: Log): void {
  const { config, base_url, http, smtp, dataDir, outbox, oauth, telephony } = started;
  log.info(
    {
      role: config.role,
      base_url,
      http_port: http.port,
      smtp_port: smtp?.port ?? null,
      data_dir: dataDir.path,
      outbox,
      oauth,
      telephony: telephony.name,
      reporters: believedReporters(config).reporters.join(" "),
    },
    "started",
  );
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  output.write(bannerOf(started));
}

/** Returns the first facts that a person needs, in at most 80 columns unless names are long. */
export function bannerOf(started: Omit<Started, "http">): string {
  const { config, base_url, smtp, dataDir, outbox, oauth, telephony } = started;
  const { mail_domain, smtp_url } = config;
  const incoming = smtp === undefined ? "off" : `SMTP at ${smtp.host}:${smtp.port}, for *@${mail_domain}`;
  const sent = smtp_url?.startsWith("mx:")
    ? "sent straight to the recipients' hosts"
    : "sent through SMTP_URL";
  const [reporter, ...others] = believedReporters(config).reporters;
  const more = others.length === 0 ? "" : ` (+${others.length})`;
  const relays = reporter === undefined ? "" : `${reporter}${more} and `;
  const captured = outbox ? `captured: see ${base_url}/outbox` : "captured in DATA_DIR";
  const without_oauth = config.oauth === "off" ? "off" : "off: npm install @letterslot/oauth";
  const simulated = telephony.page ? `simulated: see ${base_url}/phone` : "simulated";
  return `
  Letterslot is running.

  Console        ${base_url}/console/
  API and docs   ${base_url}/docs
  Models (MCP)   ${config.mcp === "off" ? "off" : `${base_url}/mcp`}
  Incoming mail  ${incoming}
  Outgoing mail  ${smtp_url === undefined ? captured : sent}
  Bounces        told by ${relays}the recipients' hosts
  Telephony      ${config.twilio_account_sid === undefined ? simulated : "by Twilio"}
  Apps (OAuth)   ${oauth ? "on: people can let them in" : without_oauth}
  Data           ${dataDir.path}

  Create an agent's inbox with its owner, whose mail gives it work, and a key:

    curl ${base_url}/api/v1/onboard \\
      -H 'content-type: application/json' \\
      -d '{"username":"ada","owner_email":"you@example.com"}'

  Press Ctrl+C to stop.

`;
}

/** Logs what `doubtsAbout` says of a configuration. */
export function warn(config: Config, base_url: string, log: Log): void {
  for (const { fields, message } of doubtsAbout(config, base_url)) log.warn(fields, message);
}

/** Finds settings that work but are probably not what the operator wants, with a remedy for each. */
export function doubtsAbout(
  config: Config,
  base_url: string,
): { fields: Record<string, string>; message: string }[] {
  const doubts: { fields: Record<string, string>; message: string }[] = [];
  const doubt = (fields: Record<string, string>, message: string) => void doubts.push({ fields, message });
  if (config.smtp_url !== undefined && config.onboarding === "open") {
    doubt(
      {},
      "SMTP_URL is set and ONBOARDING is open: anyone who can reach this server can send mail through it. Set ONBOARDING to claimed, paired or closed.",
    );
  }
  if (base_url.startsWith("http:") && !isLocal(base_url)) {
    doubt(
      { base_url },
      "BASE_URL is not https: anyone on the way can take over the session of an owner who signs in. Put TLS in front of it.",
    );
  }
  if (config.role !== "all" && config.database_url === undefined)
    doubt(
      { role: config.role },
      "With SQLite, only one process can use DATA_DIR, so the other roles do not run. Set DATABASE_URL, or ROLE to all.",
    );
  if (
    config.base_url === undefined &&
    !isLocal(`http://${config.host.includes(":") ? `[${config.host}]` : config.host}`)
  ) {
    doubt(
      { base_url },
      "HOST is reachable from other machines, but links begin with localhost. Set BASE_URL.",
    );
  }
  return doubts;
}

/** Whether a URL's host is this machine. */
export function isLocal(url: string): boolean {
  return URL.canParse(url) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
