import type { ParsedMail } from "../../model/parsed-mail.ts";

import { classifyRefusal, mostSpecific, stageIn, statusIn } from "./classify.ts";
import { addressIn, type Fields, fieldOf, readBlocks, reportedAddress, reportText } from "./fields.ts";
import { type PlainReport, readPlain } from "./plain.ts";
import { MAX_DETAIL_CHARS, MAX_REPORTED, type MailReport, type ReportedRecipient } from "./report.ts";
import { returnedHeader, returnedMail } from "./returned-mail.ts";

type Mail = Pick<ParsedMail, "headers" | "from" | "to" | "subject" | "text" | "html" | "attachments">;

const MAX_TEXT_CHARS = 50_000;
const STATUS_TYPES = ["message/delivery-status", "message/global-delivery-status"];

/**
 * Reads a delivery report: from its machine-readable part, else from its prose. Undefined when it names no
 * recipient.
 */
export function readDelivery(mail: Mail): Extract<MailReport, { type: "delivery" }> | undefined {
  const own = [...mail.to, ...mail.from].map(({ address }) => address.toLowerCase());
  const plain = readPlain(mail.text === "" ? textOfHtml(mail.html ?? "") : mail.text, own);
  const returned = returnedHeader(mail, plain.returned);
  const blocks = machineBlocks(mail).filter((block) => recipientOf(block) !== null);
  const machine = blocks.flatMap((block) => fromFields(block, plain, blocks.length === 1));
  const recipients = machine.length > 0 ? machine : fromWords(mail, plain, returned);
  if (recipients.length === 0) return undefined;
  return {
    type: "delivery",
    recipients: recipients.slice(0, MAX_REPORTED),
    ...returnedMail(returned),
  };
}

/** The fields of the machine-readable part, or of the text where a gateway converted that part to text. */
function machineBlocks({ attachments, text }: Mail): Fields[] {
  const parts = attachments
    .filter(({ content_type }) => STATUS_TYPES.includes(content_type))
    .map(({ bytes }) => reportText(bytes));
  const blocks = parts.flatMap(readBlocks);
  if (blocks.some((block) => block.has("final-recipient") || block.has("original-recipient"))) return blocks;
  return /^final-recipient:/im.test(text) ? readBlocks(text.slice(0, MAX_TEXT_CHARS)) : [];
}

/**
 * Returns the recipient that a block of fields is about; null for the block about the whole message (RFC 3464, section
 * 2.2).
 */
const recipientOf = (block: Fields): string | null =>
  reportedAddress(fieldOf(block, "final-recipient")) ??
  reportedAddress(fieldOf(block, "original-recipient")) ??
  addressIn(fieldOf(block, "x-actual-recipient"));

/**
 * Reads one recipient's block of fields (RFC 3464, section 2.3). `only`: the report has no other recipient, so all of
 * the prose is about this one.
 */
function fromFields(block: Fields, plain: PlainReport, only: boolean): ReportedRecipient[] {
  const original = reportedAddress(fieldOf(block, "original-recipient"));
  const address = recipientOf(block);
  if (address === null) return [];
  // AsyncOS writes the other server's words about this recipient into a field of its own.
  const supplement = fieldOf(block, "x-supplementary-info").replace(
    /^\s*<?[^;]{0,300}(?=\bsmtp\s*;)|>\s*$/gi,
    "",
  );
  const diagnostic = fieldOf(block, "diagnostic-code") || supplement;
  // The prose often adds what the diagnostic omits, but its words about others are no evidence.
  const own = plain.said.find((each) => each.address === address || each.address === original)?.text;
  const said = own ?? (only || plain.said.length === 0 ? plain.words : "");
  const is_its_own = only || plain.said.length === 1 || said !== plain.words;
  const status = mostSpecific([
    statusIn(diagnostic),
    statusIn(fieldOf(block, "status")),
    diagnostic === "" && is_its_own ? statusIn(said) : null,
  ]);
  const who = { address, original, status };
  const detail = diagnostic.replace(/^\s*[\w-]+\s*;\s*/, "");
  const action = fieldOf(block, "action").toLowerCase();
  if (/^(?:deliver|relayed|expanded)/.test(action))
    return [{ ...who, outcome: "delivered", reason: "delivered", detail: shortDetail(detail) }];

  const of_recipient = diagnostic !== "" && diagnostic === supplement ? "rcpt" : null;
  const stage =
    stageIn(diagnostic) ??
    of_recipient ??
    stageIn(said) ??
    (plain.said.length > 1 ? null : stageIn(plain.words));
  const verdict = classifyRefusal({ text: detail, status: detail === "" ? null : status, stage });
  const { hard, reason } =
    verdict.reason === "unknown"
      ? classifyRefusal({ text: said, status: mostSpecific([status, statusIn(said)]), stage })
      : verdict;
  const shown = shortDetail(detail === "" ? said : detail);
  if (action.startsWith("delayed")) {
    const why = reason === "unknown" ? "unreachable" : reason;
    return [{ ...who, outcome: "delayed", reason: why, detail: shown }];
  }
  return [{ ...who, outcome: hard ? "hard" : "soft", reason, detail: shown }];
}

function fromWords(mail: Mail, plain: PlainReport, returned: Fields | undefined): ReportedRecipient[] {
  const failed = mail.headers
    .filter(({ name }) => name === "x-failed-recipients")
    .flatMap(({ value }) => value.split(","))
    .map(addressIn)
    .filter((address) => address !== null);
  const named = failed.map(
    (address) => plain.said.find((each) => each.address === address) ?? { address, text: plain.words },
  );
  const fallback = (returned?.get("to") ?? []).map(addressIn).filter((address) => address !== null);
  const whole = fallback.map((address) => ({ address, text: plain.words }));
  const said = [named, plain.said, whole].find((each) => each.length > 0) ?? [];
  return said.slice(0, MAX_REPORTED).flatMap(({ address, text }) => {
    // Text outside a recipient's own lines is about all of them; with several recipients, its code can't be attributed.
    const status = statusIn(text) ?? (said.length === 1 ? statusIn(plain.words) : null);
    const stage = stageIn(text);
    const own = classifyRefusal({ text, status, stage });
    const common = said.length === 1 ? plain.words : prefaceOf(plain);
    const { hard, reason } =
      own.reason === "unknown" ? classifyRefusal({ text: common, status, stage: stageIn(common) }) : own;
    // A mail from a mail system that mentions no failure is not a report.
    if (reason === "unknown" && !FAILURE_WORDS.test(`${mail.subject}\n${plain.words}`)) return [];
    const outcome = hard
      ? ("hard" as const)
      : DELAY_WORDS.test(plain.words)
        ? ("delayed" as const)
        : ("soft" as const);
    return [{ address, original: null, status, outcome, reason, detail: shortDetail(text) }];
  });
}

/** Returns the text before the first recipient, which is about all of them. */
function prefaceOf({ said, words }: PlainReport): string {
  return words.slice(
    0,
    Math.max(0, Math.min(...said.map(({ text }) => words.indexOf(text.split("\n")[0] ?? "")))),
  );
}

const FAILURE_WORDS =
  /could ?n[o']t be (?:delivered|sent|reached)|unable to deliver|(?:was|were|is|been) not (?:be )?delivered|did not (?:reach|receive)|undeliver|permanent (?:error|fatal)|failed|failure|delivery errors?|aborted|rejected|cannot be delivered|could not deliver|\b[45]\d\d[ -]|\berror\b|エラー|失敗/i;
const DELAY_WORDS =
  /still being retried|this is a warning|you do not need to resend|will (?:keep|continue) (?:trying|to try)|delayed|not yet been delivered/i;

const shortDetail = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, MAX_DETAIL_CHARS);

/** The approximate text of a report that is HTML only. */
function textOfHtml(html: string): string {
  return html
    .slice(0, 200_000)
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6]|\/pre)\b[^<>]{0,500}>/gi, "\n")
    .replace(/<[a-z/!][^<>]*>/gi, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&(?:nbsp|#160);/g, " ")
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&amp;/g, "&");
}
