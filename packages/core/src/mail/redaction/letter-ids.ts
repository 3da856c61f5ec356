import { isId } from "../../catalogue/ids.ts";

/** The local part of our Message-IDs: a stored message's id, or that of a letter from no-reply. */
const LOCAL_PART = /(?:^|[^\w.+-])(?:no-reply\.job_([0-9a-z]{20})\.\d{1,9}|([0-9a-z]{20}))$/i;
const MAX_LOCAL_CHARS = 48;
const DOMAIN = /[a-z0-9.-]{1,253}/iy;

/** Returns the Message-IDs in a text that have the form of ours, in lower case and with angle brackets. */
export function letterIdsIn(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (!mayEndId(text, at)) continue;
    const [local = "", job, message] =
      LOCAL_PART.exec(text.slice(Math.max(0, at - MAX_LOCAL_CHARS), at)) ?? [];
    const is_ours =
      job === undefined
        ? message !== undefined && isId("msg", `msg_${message.toLowerCase()}`)
        : isId("job", `job_${job.toLowerCase()}`);
    if (!is_ours) continue;
    DOMAIN.lastIndex = at + 1;
    const domain = DOMAIN.exec(text)?.[0] ?? "";
    found.push(`<${local.replace(/^[^\w]/, "")}@${domain.replace(/\.+$/, "")}>`.toLowerCase());
  }
  return found;
}

/** Characters of an id after its prefix. */
const ID_CHARS = 20;

/** Whether the text before an "@" ends like an id; hardly any address does, and a table may have a million. */
function mayEndId(text: string, at: number): boolean {
  let from = at;
  while (from > 0 && at - from <= ID_CHARS && isAlphanumeric(text.charCodeAt(from - 1))) from -= 1;
  return at - from === ID_CHARS || text.charCodeAt(from - 1) === 46;
}

/** A digit or a letter. */
const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
