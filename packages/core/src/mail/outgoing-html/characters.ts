/** White space that browsers show as one space; single spaces, which are most of them, are left alone. */
export const WIDE_SPACE = / *[\t\r\n\f][ \t\r\n\f]*| {2,}/g;

// Controls, and what turns the direction of the text after it: none of them has a place in a mail.
const UNWANTED = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;
const HIDDEN =
  /[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/gu;

/** The text without control characters and direction overrides; half surrogate pairs become U+FFFD. */
export const withoutControls = (text: string): string => text.toWellFormed().replace(UNWANTED, "");

/** Shows invisible and direction-changing characters by code point, such as `[U+200B]`. */
export const showHidden = (text: string): string =>
  text.replace(
    HIDDEN,
    (hidden) => `[U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
