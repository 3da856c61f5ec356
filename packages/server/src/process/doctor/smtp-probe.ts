import { X509Certificate } from "node:crypto";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Finding, failed, ok, warning } from "./checks.ts";

/** A mail server's answers about itself. */
export interface ProbedServer {
  banner: string;
  /** Its certificate; undefined if it offers no STARTTLS. */
  certificate: X509Certificate | undefined;
}

const MAX_REPLY_CHARS = 10_000;
const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

/** Greets a mail server, and takes its certificate by STARTTLS without verifying it. Sends no mail. */
export async function probeSmtp(host: string, port: number, signal: AbortSignal): Promise<ProbedServer> {
  const socket = connect({ host, port });
  const abort = () => socket.destroy(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const banner = await reply(socket);
    if (!banner.startsWith("220")) throw new Error(`it greets with ${JSON.stringify(banner.slice(0, 80))}`);
    const extensions = await ask(socket, "EHLO doctor.invalid");
    if (!/^250[ -]STARTTLS\s*$/im.test(extensions)) {
      await ask(socket, "QUIT");
      return { banner, certificate: undefined };
    }
    await ask(socket, "STARTTLS");
    return { banner, certificate: await certificateOf(socket, host) };
  } finally {
    signal.removeEventListener("abort", abort);
    socket.destroy();
  }
}

async function ask(socket: Socket, line: string): Promise<string> {
  const answer = reply(socket);
  socket.write(`${line}\r\n`);
  return answer;
}

/** Reads one reply, which may have several lines (RFC 5321, section 4.2.1). */
function reply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const end = (settle: () => void) => {
      socket.off("data", onData).off("error", reject).off("close", onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (/^\d{3}(?: .*)?\r?\n/m.test(text)) end(() => resolve(text.trimEnd()));
      else if (text.length > MAX_REPLY_CHARS) end(() => reject(new Error("its reply doesn't end")));
    };
    const onClose = () => end(() => reject(new Error("it hung up")));
    socket.on("data", onData).once("error", reject).once("close", onClose);
  });
}

function certificateOf(socket: Socket, host: string): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const secure = connectTls(
      // The certificate is judged afterwards.
      { socket, rejectUnauthorized: false, ...(isIP(host) === 0 ? { servername: host } : {}) },
      () => {
        const certificate = secure.getPeerX509Certificate();
        secure.end();
        if (certificate === undefined) reject(new Error("it shows no certificate"));
        else resolve(new X509Certificate(certificate.raw));
      },
    );
    secure.once("error", reject);
  });
}

/** Judges a listener's certificate for mail to hosts of these names. */
export function judgeCertificate(
  certificate: Pick<X509Certificate, "validTo" | "validFrom" | "issuer" | "subject" | "checkHost">,
  hosts: readonly string[],
  now: Date,
): Finding {
  const ends = new Date(certificate.validTo);
  const day = ends.toISOString().slice(0, 10);
  const renew = "Renew it (SMTP_CERT, SMTP_KEY) and restart the server.";
  if (ends <= now) return failed(`The STARTTLS certificate expired on ${day}.`, renew);
  if (new Date(certificate.validFrom) > now)
    return failed(
      `The STARTTLS certificate is valid only from ${new Date(certificate.validFrom).toISOString().slice(0, 10)} on.`,
      "Check this machine's clock, or use another certificate (SMTP_CERT, SMTP_KEY).",
    );
  const days = Math.floor((ends.getTime() - now.getTime()) / DAY_MS);
  if (days < SOON_DAYS) return warning(`The STARTTLS certificate expires in ${days} days, on ${day}.`, renew);
  const unnamed = hosts.filter((host) => certificate.checkHost(host) === undefined);
  if (unnamed.length > 0)
    return warning(
      `The STARTTLS certificate doesn't name ${unnamed.join(", ")}.`,
      "Senders that check it (MTA-STS, DANE) would refuse it: get one for that name (SMTP_CERT, SMTP_KEY).",
    );
  const own =
    certificate.issuer === certificate.subject ? " It is signed by itself, as most senders accept." : "";
  return ok(`The STARTTLS certificate is valid until ${day}.${own}`);
}
