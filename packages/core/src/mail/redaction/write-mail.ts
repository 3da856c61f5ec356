import { createHash } from "node:crypto";
import { mediaTypeText } from "../../model/media-type.ts";
import type { MailHeader, ParsedAttachment, ParsedMail } from "../../model/parsed-mail.ts";
import { filenameParameters } from "../attachments.ts";

/** Headers that describe how the original was written, or sign it. */
const OF_THE_ORIGINAL =
  /^(?:content-.*|mime-version|dkim-signature|domainkey-signature|arc-.*|x-google-dkim-signature|bcc)$/;
const ENCODED_CHARS = 40;
const BASE64_LINE = /.{1,76}/g;

/**
 * Writes a parsed mail as bytes (RFC 5322, RFC 2045): its headers, bodies and attachments, and nothing else of the
 * original. Never fails, whatever a stranger's mail holds.
 */
export function writeMail({
  headers,
  text,
  html,
  attachments,
}: Pick<ParsedMail, "headers" | "text" | "html" | "attachments">): Uint8Array {
  const kept = headers.filter(({ name }) => /^[!-9;-~]{1,76}$/.test(name) && !OF_THE_ORIGINAL.test(name));
  const bodies = [
    part("text/plain; charset=utf-8", Buffer.from(text)),
    ...(html === null ? [] : [part("text/html; charset=utf-8", Buffer.from(html))]),
  ];
  const body = bodies.length === 1 ? bodies[0] : multipart("alternative", bodies);
  const whole =
    attachments.length === 0 ? body : multipart("mixed", [body ?? "", ...attachments.map(attachmentPart)]);
  return Buffer.from([...kept.map(headerLine), "MIME-Version: 1.0\r\n", whole ?? ""].join(""));
}

function headerLine({ name, value }: MailHeader): string {
  const clean = value.replace(/[\x00-\x1f\x7f]+/g, " ").trim();
  const shown = /^[\x20-\x7e]*$/.test(clean) ? folded(clean) : encodedWords(clean);
  return `${name}: ${shown}\r\n`;
}

const folded = (value: string): string => value.replace(/(.{60,900}?) /g, "$1\r\n ");

function encodedWords(value: string): string {
  const pieces = [...value.toWellFormed()];
  const words: string[] = [];
  for (let at = 0; at < pieces.length; at += ENCODED_CHARS / 4)
    words.push(
      `=?utf-8?B?${Buffer.from(pieces.slice(at, at + ENCODED_CHARS / 4).join("")).toString("base64")}?=`,
    );
  return words.join("\r\n ");
}

function attachmentPart({
  filename,
  content_type,
  parameters = {},
  content_id,
  disposition,
  bytes,
}: ParsedAttachment): string {
  const id = (content_id ?? "").replace(/[^\w.@+$=-]/g, "");
  // A nested mail must not be encoded in transit (RFC 2046, section 5.2.1), so that it goes as a file.
  const type = /^(?:message|multipart)\//.test(content_type)
    ? "application/octet-stream"
    : mediaTypeText({ type: content_type, parameters });
  const about = [
    `Content-Disposition: ${disposition}; ${filenameParameters(filename)}\r\n`,
    ...(id === "" ? [] : [`Content-ID: <${id}>\r\n`]),
  ];
  return part(type, bytes, about.join(""));
}

function part(type: string, bytes: Uint8Array, about = ""): string {
  const coded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const lines = (coded.match(BASE64_LINE) ?? []).join("\r\n");
  return `Content-Type: ${type}\r\n${about}Content-Transfer-Encoding: base64\r\n\r\n${lines}\r\n`;
}

/** Base64 has no hyphen at the start of a line, so that no part can hold the boundary. */
function multipart(kind: "alternative" | "mixed", parts: readonly string[]): string {
  const boundary = `=_${createHash("sha256").update(`${kind}${parts.length}`).digest("hex").slice(0, 24)}`;
  const inner = parts.map((each) => `--${boundary}\r\n${each}`).join("");
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${inner}--${boundary}--\r\n`;
}
