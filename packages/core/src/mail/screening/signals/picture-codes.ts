import type { ParsedAttachment, ParsedMail } from "../../../model/parsed-mail.ts";
import type { Finding } from "../../../model/screening.ts";
import { linksIn } from "../../links/text-links.ts";
import { givesInstructions } from "../reading.ts";
import { linkSceneOf } from "../screen.ts";
import { finding } from "./finding.ts";
import { domainOf, organisationOf } from "./hosts.ts";
import { linkSignals } from "./link-signals.ts";

/** A picture as small as this is a rule, a dot or an icon. */
const MIN_PICTURE_BYTES = 150;
const MAX_CODES = 10;
const MAX_CODE_CHARS = 2_000;
/** Signals about all links of a mail together, not about one. */
const OF_ALL_LINKS: ReadonlySet<string> = new Set(["links_elsewhere", "single_target"]);

/** Whether an attachment is a picture that could hold a code. */
export const isReadablePicture = ({ content_type, bytes }: ParsedAttachment): boolean =>
  bytes.length >= MIN_PICTURE_BYTES && /^image\/(?:png|jpe?g|pjpeg|gif|bmp)\b/i.test(content_type);

/**
 * Returns signals from the texts of the QR codes in a mail's pictures: a link is treated as a link of the mail, and any
 * other text as hidden from a human reader.
 */
export function screenCodes(mail: ParsedMail, codes: readonly string[]): Finding[] {
  if (codes.length === 0) return [];
  const texts = codes.slice(0, MAX_CODES).map((code) => code.slice(0, MAX_CODE_CHARS));
  const links = texts.flatMap(linksIn).map((link) => ({ ...link, place: "a picture" as const }));
  const from = organisationOf(domainOf(mail.from[0]?.address ?? ""));
  const elsewhere = links
    .map(({ href }) => URL.parse(href)?.hostname ?? "")
    .find((host) => host !== "" && organisationOf(host) !== from);
  return [
    ...(elsewhere === undefined ? [] : [finding("picture_code_link", { what: elsewhere })]),
    ...linkSignals({ ...linkSceneOf(mail), links }).filter(({ type }) => !OF_ALL_LINKS.has(type)),
    ...(texts.some(givesInstructions) ? [finding("hidden_instructions", { where: "a QR code" })] : []),
  ];
}
