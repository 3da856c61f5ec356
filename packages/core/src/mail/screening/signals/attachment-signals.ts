import type { ParsedAttachment } from "../../../model/parsed-mail.ts";
import type { Finding } from "../../../model/screening.ts";

import { finding } from "./finding.ts";

/** Attachments examined per mail, and bytes examined at the start and end of each. */
export const MAX_SCREENED_ATTACHMENTS = 50;
export const MAX_SCREENED_BYTES = 64_000;

const PROGRAMS =
  /^(?:exe|scr|com|pif|bat|cmd|msi|msix|msp|vbs|vbe|js|jse|wsf|wsh|ps1|psm1|hta|lnk|jar|apk|cpl|dll|reg|scf|url|appref-ms|application|gadget|inf|sct|chm|xll|wll|iqy|slk|desktop|command|workflow|pkg|dmg|app|sh|run)$/;
const DISK_IMAGES = /^(?:iso|img|vhd|vhdx|udf|daa|nrg)$/;
const ARCHIVES = /^(?:zip|rar|7z|gz|tgz|tar|bz2|xz|cab|ace|arj|lzh|zipx|r\d\d)$/;
const MACRO_DOCUMENTS = /^(?:docm|dotm|xlsm|xltm|xlam|xlsb|pptm|potm|ppam|ppsm|sldm)$/;
const OFFICE = /^(?:docx?|xlsx?|pptx?|rtf)$/;
const PAGES = /^(?:html?|xhtml?|shtml?|mhtml?|svgz?|xht)$/;
const HARMLESS = /^(?:pdf|docx?|xlsx?|pptx?|jpe?g|png|gif|txt|csv|rtf|mp[34]|wav|zip|html?|eml|odt|invoice)$/;
const PASSWORD_SAID =
  /(?:pass(?:word|code|phrase)?|pwd|passwort|kennwort|mot de passe|contrasena|senha|wachtwoord|парол\p{L}?|haslo|sifre|密码|密碼|パスワード)(?: (?:for|to open|fur|pour|para|per)[^:\n]{1,40})?(?: (?:is|lautet|ist|est|es|e)\s|\s{0,3}[:=是は-])\s{0,3}\S/u;

/** Signals from the names and first bytes of attachments. `foldedText` is where a password would be given. */
export function attachmentSignals(attachments: readonly ParsedAttachment[], foldedText: string): Finding[] {
  return attachments
    .slice(0, MAX_SCREENED_ATTACHMENTS)
    .flatMap((attachment) => signalsOf(attachment, foldedText));
}

function signalsOf(attachment: ParsedAttachment, foldedText: string): Finding[] {
  const { filename, bytes } = attachment;
  const what = filename.slice(0, 200);
  const parts = filename
    .slice(-200)
    .toLowerCase()
    .trim()
    .replace(/[\s.]+$/u, "")
    .split(/\.\s*/u);
  const kind = parts.length > 1 ? (parts.at(-1) ?? "").trim() : "";
  const before = parts.length > 2 ? (parts.at(-2) ?? "").trim() : "";
  const found: Finding[] = [];
  const program = PROGRAMS.test(kind);
  if (/[\u202A-\u202E\u2066-\u2069]/u.test(filename))
    found.push(finding("attachment_name_reversed", { what }));
  if (HARMLESS.test(before) && (program || PAGES.test(kind) || DISK_IMAGES.test(kind)))
    found.push(finding("attachment_double_extension", { what }));
  else if (program) found.push(finding("attachment_program", { what }));
  if (isProgram(bytes) && !program) found.push(finding("attachment_disguised", { what }));
  if (DISK_IMAGES.test(kind)) found.push(finding("attachment_disk_image", { what }));
  if (
    MACRO_DOCUMENTS.test(kind) ||
    /macroenabled/iu.test(attachment.content_type) ||
    (OFFICE.test(kind) && holdsMacros(bytes))
  ) {
    found.push(finding("attachment_macro", { what }));
  }
  if (PAGES.test(kind) || (kind === "" && /^(?:text\/html|image\/svg)/iu.test(attachment.content_type))) {
    found.push(finding(holdsScript(bytes) ? "attachment_html_script" : "attachment_html", { what }));
  }
  const locked = isLocked(bytes);
  if (locked) found.push(finding("attachment_locked", { what }));
  if ((locked || ARCHIVES.test(kind)) && PASSWORD_SAID.test(foldedText))
    found.push(finding("attachment_password", { what }));
  return found;
}

/**
 * Programs for Windows (MZ with a PE signature), Linux (ELF) and macOS (Mach-O), and Windows shortcuts, by
 * their first bytes.
 */
function isProgram(bytes: Uint8Array): boolean {
  const [a, b, c, d] = bytes;
  if (a === 0x4d && b === 0x5a && bytes.length > 64)
    return latin(bytes.subarray(0, 1_024)).includes("PE\0\0");
  if (a === 0x7f && b === 0x45 && c === 0x4c && d === 0x46) return true;
  if (a === 0x4c && b === 0 && c === 0 && d === 0 && bytes[4] === 1 && bytes[5] === 0x14) return true;
  return (a === 0xcf || a === 0xce) && b === 0xfa && c === 0xed && d === 0xfe;
}

function holdsMacros(bytes: Uint8Array): boolean {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    return latin(bytes.subarray(-MAX_SCREENED_BYTES)).includes("vbaProject.bin");
  if (bytes[0] !== 0xd0 || bytes[1] !== 0xcf) return false;
  const text = latin(bytes.subarray(0, MAX_SCREENED_BYTES)) + latin(bytes.subarray(-MAX_SCREENED_BYTES));
  return text.includes("_\0V\0B\0A\0_\0P\0R\0O\0J\0E\0C\0T") || text.includes("V\0B\0A\0\0");
}

function holdsScript(bytes: Uint8Array): boolean {
  return /<script|javascript:|\bon(?:load|error|click)\s{0,3}=|type\s{0,3}=\s{0,3}["']?password|http-equiv\s{0,3}=\s{0,3}["']?refresh/iu.test(
    latin(bytes.subarray(0, MAX_SCREENED_BYTES)),
  );
}

/** The encryption flag of a zip's first entry (APPNOTE 4.4.4). */
function isLocked(bytes: Uint8Array): boolean {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4)
    return ((bytes[6] ?? 0) & 1) === 1;
  return false;
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
