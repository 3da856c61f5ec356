import { createPictures, type KnownPicture } from "./pictures.ts";
import { renderHtml } from "./render-html.ts";
import { unmarked } from "./write-tag.ts";

/** A mail to show to a person, and the pictures that may be shown in it. */
export interface MailToShow {
  subject: string;
  text: string;
  html: string | null;
  pictures: readonly KnownPicture[];
}

/** A mail as a page: the places of its pictures stand between marks. */
export interface ShownMail {
  page: string;
  /** The URLs of the remote pictures that it names and that aren't among the known ones. */
  remote: string[];
}

/** The defaults of mail programs: whatever the mail says is stronger. */
const HTML_STYLE =
  ":where(html){background:#fff;color:#000;font-family:sans-serif;overflow-wrap:break-word}:where(body){margin:12px}";
const TEXT_STYLE =
  "html{color-scheme:light dark}body{margin:0;padding:16px}pre{margin:0;max-width:44rem;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;white-space:pre-wrap;overflow-wrap:anywhere}";

/** The page of a mail: its HTML, else its text. Linear. */
export function showMail({ subject, text, html, pictures: known }: MailToShow): ShownMail {
  const head = (style: string) =>
    `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeText(subject)}</title><style>${style}</style>`;
  if (html === null || html.trim() === "")
    return {
      // The first line break of a `pre` isn't shown.
      page: `<!doctype html>${head(TEXT_STYLE)}<pre>\n${escapeText(text)}</pre>`,
      remote: [],
    };
  const pictures = createPictures(known);
  const { doctype, html: rendered } = renderHtml(html, pictures);
  return { page: `${doctype}${head(HTML_STYLE)}${rendered}`, remote: [...pictures.remote] };
}

const escapeText = (text: string): string =>
  unmarked(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
