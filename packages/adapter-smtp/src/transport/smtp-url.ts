import { isIP } from "node:net";

/** A server's address and connection settings, as nodemailer's options. */
export interface SmtpServerAddress {
  host: string;
  port: number;
  secure: boolean;
  requireTLS: boolean;
  auth?: { user: string; pass: string };
  tls: { rejectUnauthorized: boolean; minVersion: "TLSv1.2" };
}

const DEFAULT_PORTS: Record<string, number> = { "smtp:": 587, "smtps:": 465 };

/**
 * Parses `smtp://user:pass@host:port` or `smtps://…`. A password requires TLS unless the server is on this
 * machine. Certificates are verified unless the server is on this machine or the URL says `?verify=false`.
 * Error messages never contain the URL's secrets.
 */
export function readSmtpUrl(url: string): SmtpServerAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const default_port = DEFAULT_PORTS[parsed?.protocol ?? ""];
  if (parsed === undefined || default_port === undefined || parsed.hostname === "") {
    throw new Error("The SMTP URL must be smtp://user:pass@host:port or smtps://user:pass@host:port.");
  }
  const host = decodeURIComponent(parsed.hostname).replace(/^\[|\]$/g, "");
  const local = host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
  const secure = parsed.protocol === "smtps:";
  const user = decodeURIComponent(parsed.username);
  return {
    host,
    port: parsed.port === "" ? default_port : Number(parsed.port),
    secure,
    requireTLS: user !== "" && !secure && !local,
    ...(user === "" ? {} : { auth: { user, pass: decodeURIComponent(parsed.password) } }),
    tls: {
      rejectUnauthorized: !local && parsed.searchParams.get("verify") !== "false",
      minVersion: "TLSv1.2",
    },
  };
}
