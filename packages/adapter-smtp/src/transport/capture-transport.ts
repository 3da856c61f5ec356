import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { parseMail } from "@letterslot/core/mail";
import type { Transport } from "@letterslot/core/ports";
import { bytesToSend, type FindDkimKey } from "./dkim.ts";

/** A captured message without its bytes. `to` lists all envelope recipients, including Bcc. */
export interface CapturedMail {
  name: string;
  captured_at: string;
  message_id: string;
  from: string;
  to: string[];
  subject: string;
  size: number;
}

/** A transport that writes mail to files instead of sending it, for development. */
export interface CaptureTransport extends Transport {
  /** Newest first; `before` is the last name of the previous page. */
  list(options?: { limit?: number; before?: string }): Promise<CapturedMail[]>;
  /** The raw message, or undefined if there is none of that name. */
  read(name: string): Promise<Uint8Array | undefined>;
}

const NAME = /^\d{17}-[0-9a-f]{16}\.eml$/;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const HEAD_BYTES = 65_536;

/**
 * Writes each message as it would be sent to `<directory>/<name>.eml`, with a JSON description beside it. Files are
 * written atomically with mode 0600. Names start with the time, so they sort; no name can reach outside the
 * directory.
 */
export function createCaptureTransport(options: {
  directory: string;
  /** Signs as `createSmtpTransport` does; mail is captured unsigned without it. */
  dkim?: FindDkimKey;
  now?: () => Date;
}): CaptureTransport {
  const now = options.now ?? (() => new Date());
  const path = (name: string) => join(options.directory, name);

  async function write(name: string, bytes: readonly Uint8Array[] | string): Promise<void> {
    const temporary = path(`.${name}.${randomBytes(6).toString("hex")}`);
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path(name));
  }

  async function readDescription(name: string): Promise<CapturedMail | undefined> {
    const text = await readFile(path(sidecarOf(name)), "utf8").catch(ifMissing);
    return text === undefined ? undefined : (JSON.parse(text) as CapturedMail);
  }

  return {
    name: "capture",
    async send(mail) {
      await mkdir(options.directory, { recursive: true, mode: 0o700 });
      const captured_at = now().toISOString();
      const hash = createHash("sha256")
        .update(JSON.stringify([mail.message_id, mail.envelope]))
        .digest("hex")
        .slice(0, 16);
      const name = `${captured_at.replace(/\D/g, "")}-${hash}.eml`;
      const bytes = await bytesToSend(mail, options.dkim);
      const head = await parseMail(mail.raw.subarray(0, HEAD_BYTES)).catch(() => undefined);
      const captured: CapturedMail = {
        name,
        captured_at,
        message_id: mail.message_id,
        from: mail.from,
        to: mail.envelope.rcpt_to,
        subject: head?.subject ?? "",
        size: bytes.reduce((sum, { length }) => sum + length, 0),
      };
      // Description first, so that every message has one.
      await write(sidecarOf(name), JSON.stringify(captured));
      await write(name, bytes);
      return mail.envelope.rcpt_to.map((recipient) => ({
        recipient,
        outcome: "accepted" as const,
        detail: `captured as ${name}`,
      }));
    },
    async list({ limit = DEFAULT_LIMIT, before } = {}) {
      const names = ((await readdir(options.directory).catch(ifMissing)) ?? [])
        .filter((name) => NAME.test(name))
        .toSorted()
        .toReversed();
      const page = names
        .filter((name) => before === undefined || name < before)
        .slice(0, Math.min(limit, MAX_LIMIT));
      const mails = await Promise.all(page.map(readDescription));
      return mails.filter((mail) => mail !== undefined);
    },
    async read(name) {
      return NAME.test(name) ? await readFile(path(name)).catch(ifMissing) : undefined;
    },
    async close() {},
  };
}

function sidecarOf(name: string): string {
  return name.replace(/\.eml$/, ".json");
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
