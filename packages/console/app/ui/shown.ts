import { showHidden } from "@letterslot/core/mail";
import { number, words } from "../words/index.ts";

/** Text that strangers may have written, with what is invisible or turns the direction of text shown by code point. */
export const shown = <T>(value: T): T | string => (typeof value === "string" ? showHidden(value) : value);

/** Joiners where writing needs them: within an emoji, and between letters of scripts that are joined by them. */
const NEEDED_JOINERS =
  /((?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Knda}\p{scx=Mlym}\p{scx=Taml}\p{scx=Telu}\p{scx=Sinh}])[\u200C\u200D](?=[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Knda}\p{scx=Mlym}\p{scx=Taml}\p{scx=Telu}\p{scx=Sinh}]))/u;
/** Many in a row, which newsletters fill the line beside their subject with. */
const MANY = /\[U\+[0-9A-F]{4,6}\](?:[ \u00A0]{0,3}\[U\+[0-9A-F]{4,6}\]){3,}/g;

/** What strangers wrote, as `shown`; joiners that writing needs stay as they are, and many in a row are counted. */
export const written = (text: string): string =>
  text
    .split(NEEDED_JOINERS)
    // Those that stay are what it was split at.
    .map((part, index) => (index % 2 === 1 ? part : showHidden(part)))
    .join("")
    .replace(MANY, (run) => {
      const [first = "", ...more] = run.match(/\[[^\]]+\]/g) ?? [];
      return words.invisible(first, number(more.length));
    });
