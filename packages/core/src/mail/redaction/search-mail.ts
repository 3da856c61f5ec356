import type { LetterKind } from "../../catalogue/letter-frames.ts";
import type { TextKind } from "../../model/attachments.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { SearchedMail } from "../../model/read-mail.ts";
import { textKind } from "../attachments.ts";
import { htmlToText } from "../reply-extraction/extract.ts";
import { noteNumbers } from "./codes.ts";
import { framesIn } from "./frames.ts";
import { unencodedText, walkBytes } from "./walk-file.ts";
import { walkMail } from "./walk-mail.ts";
import type { Place, Visit } from "./walk-texts.ts";

/** The time for which a mail is searched for codes and letters; the rest counts as unread. */
const MAX_SEARCH_MS = 2_000;
/** The different numbers remembered from one mail: more can't be compared with a code in time. */
const MAX_NUMBERS = 20_000;

/**
 * Searches a mail for things that only matter while a code is valid, or when a secret was found in it: numbers of six
 * digits in any encoding, the fixed sentences of letters, and the files that must be opened to be read. `steady` is a
 * monotonic clock in milliseconds.
 */
export async function searchMail(
  mail: ParsedMail,
  raw: Uint8Array,
  steady: () => number,
): Promise<SearchedMail> {
  const end = steady() + MAX_SEARCH_MS;
  const found = createFindings(() => steady() < end);
  const files: SearchedMail["files"] = [];
  const look: Visit = (text, place) => {
    found.search(text, place);
    return text;
  };
  await walkMail(mail, look, {
    finds_words: true,
    replace({ path, file, kind }) {
      const text_kind: TextKind | null = kind === "text" || kind === "mail" ? null : textKind(file);
      if (kind === "other" || text_kind !== null)
        files.push({
          path,
          kind: text_kind,
          // The mail's own files are at hand.
          bytes: text_kind !== null && path.includes("/") ? new Uint8Array(file.bytes) : null,
        });
      return undefined;
    },
  });
  // The raw mail contains the parts that no parser reads.
  if (mail.truncated.length > 0) walkBytes(raw, look, { is_mail: true });
  else look(unencodedText(raw), "bytes");
  return { ...found.result(), files };
}

/** Searches a text that was read from a file of a mail. */
export function searchText(text: string): Pick<SearchedMail, "numbers" | "frames" | "whole"> {
  const found = createFindings(() => true);
  found.search(text, "text");
  const { numbers, frames, whole } = found.result();
  return { numbers, frames, whole };
}

function createFindings(isInTime: () => boolean) {
  const numbers = new Set<string>();
  const hidden = new Set<string>();
  const frames = new Set<LetterKind>();
  const known = new Set<string>();
  let whole = true;
  return {
    search(text: string, place: Place): void {
      if (place !== "bytes" && known.has(text)) return;
      if (place !== "bytes") known.add(text);
      if (!isInTime()) {
        whole = false;
        return;
      }
      noteNumbers(text, place, (digits, shown) => {
        const noted = shown ? numbers : hidden;
        if (noted.size < MAX_NUMBERS) noted.add(digits);
        else whole &&= noted.has(digits);
      });
      if (place === "text") for (const kind of framesIn(text)) frames.add(kind);
      if (place === "html") for (const kind of framesIn(htmlToText(text))) frames.add(kind);
    },
    result: () => ({
      numbers: [...numbers],
      hidden: [...hidden].filter((digits) => !numbers.has(digits)),
      frames: [...frames],
      whole,
    }),
  };
}
