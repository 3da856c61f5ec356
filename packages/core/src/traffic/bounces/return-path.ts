import { isId } from "../../catalogue/ids.ts";
import { RETURN_NAME } from "../../catalogue/letter-words.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { sameSecret } from "../../kernel/secrets.ts";

/** Characters of a message id between its prefix and its check character. */
const ID_CHARS = 19;
/** Characters of the MAC, of 5 bits each. */
const MAC_CHARS = 10;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const WORD = new RegExp(`^[${ALPHABET}]{${ID_CHARS + MAC_CHARS}}$`);

/** The services that authenticate tokens about sent mail. */
type Sealing = Pick<Services, "seal">;

/** The use of a token: a return path at a domain, or the header that complaints bring back. */
type Purpose = { return_path_at: string } | "header";

/** The decoded contents of a return path. */
export interface ReturnPath {
  message_id: string;
  /** The format of earlier versions, which anybody who saw the Message-ID can forge. */
  earlier: boolean;
  domain: string;
}

/**
 * The return path of an outbound message (VERP, variable envelope return path): it contains the message's id, so that
 * any report can be matched, and a MAC, so that only the message's recipients know it. `domain` is the one that
 * bounces come back to.
 */
export const returnPathOf = (sealing: Sealing, id: string, domain: string): string =>
  `${RETURN_NAME}+${wordOf(sealing, id, { return_path_at: domainOf(domain) })}@${domain}`;

/** The value of `X-Svc-Report` in an outbound message. */
export const reportHeaderOf = (sealing: Sealing, id: string): string => wordOf(sealing, id, "header");

/**
 * Parses a return path; undefined for other addresses, and for a MAC that this service didn't make for that message
 * and domain.
 */
export function readReturnPath(sealing: Sealing, address: string): ReturnPath | undefined {
  const local = address.slice(0, address.lastIndexOf("@"));
  if (!local.startsWith(`${RETURN_NAME}+`)) return undefined;
  const domain = domainOf(address);
  const named = local.slice(RETURN_NAME.length + 1);
  if (isId("msg", named)) return { message_id: named, earlier: true, domain };
  const message_id = readWord(sealing, named, { return_path_at: domain });
  return message_id === undefined ? undefined : { message_id, earlier: false, domain };
}

/** The message that the value of an `X-Svc-Report` is about; undefined when this service didn't make it. */
export const readReportHeader = (sealing: Sealing, value: string): string | undefined =>
  readWord(sealing, value.trim().toLowerCase(), "header");

function wordOf({ seal }: Sealing, id: string, purpose: Purpose): string {
  const part = id.slice("msg_".length, "msg_".length + ID_CHARS);
  return part + charactersOf(seal.mac(...textToSign(part, purpose)));
}

function readWord({ seal }: Sealing, word: string, purpose: Purpose): string | undefined {
  if (!WORD.test(word)) return undefined;
  const part = word.slice(0, ID_CHARS);
  const right = seal
    .macs(...textToSign(part, purpose))
    .some((mac) => sameSecret(charactersOf(mac), word.slice(ID_CHARS)));
  return right ? idWithPart(part) : undefined;
}

const textToSign = (part: string, purpose: Purpose): [string, string] =>
  purpose === "header" ? ["report header", part] : ["return path", `${part} ${purpose.return_path_at}`];

/** The first 50 bits of a MAC in the alphabet of ids, in which case carries nothing. */
function charactersOf(mac: string): string {
  let bits = BigInt(`0x${mac.slice(0, 13)}`) >> 2n;
  let text = "";
  for (let index = 0; index < MAC_CHARS; index++) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

/** The whole id: its check character follows from the rest. */
const idWithPart = (part: string): string | undefined =>
  [...ALPHABET].map((check) => `msg_${part}${check}`).find((id) => isId("msg", id));
