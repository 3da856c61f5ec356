import type { ApprovalReview } from "@letterslot/core";
import { mailboxesInLines } from "@letterslot/core/mail";
import { html } from "hono/html";
import type { Markup } from "./layout.ts";

type Mail = NonNullable<ApprovalReview["mail"]>;

/** The fields of the form in which a person changes a mail. */
const PARTS = ["subject", "to", "cc", "bcc", "text"] as const;
type Part = (typeof PARTS)[number];

/** The prefix of the fields that drop an attachment. */
const DROP = "drop_";

/** A longer text isn't changed in a form. */
const MAX_EDITED_CHARS = 100_000;

/** The posted fields of the form, also those that are empty: an emptied field is a change. */
export const editFieldsOf = (form: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).filter(
      ([name]) => (PARTS as readonly string[]).includes(name) || name.startsWith(DROP),
    ),
  );

const isPhone = ({ kind }: Mail): boolean => kind === "sms" || kind === "call";

const isEditable = ({ truncated, text }: Mail): boolean =>
  !truncated && (text?.length ?? 0) <= MAX_EDITED_CHARS;

/** Returns a part of the mail as the form shows it. */
function shownPart(mail: Mail, part: Part): string {
  const value = mail[part];
  return Array.isArray(value) ? value.join("\n") : withoutReturns(value ?? "");
}

/** Forms post lines with returns, whatever they were. */
const withoutReturns = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Returns a posted form's changes to the mail, as the operation takes them; undefined without any. */
export function postedChanges(
  mail: Mail | null,
  form: Record<string, string>,
): Record<string, unknown> | undefined {
  if (mail === null) return undefined;
  const changes: Record<string, unknown> = {};
  for (const part of PARTS) {
    const given = form[part];
    if (given === undefined || withoutReturns(given) === shownPart(mail, part)) continue;
    changes[part] = valueOf(part, withoutReturns(given));
  }
  const dropped = mail.attachments.map(({ id }) => id).filter((id) => form[DROP + id] !== undefined);
  if (dropped.length > 0) changes["remove_attachments"] = dropped;
  return Object.keys(changes).length === 0 ? undefined : changes;
}

function valueOf(part: Part, given: string): string | string[] {
  if (part === "text") return given;
  if (part === "subject") return given.replace(/\s*\n\s*/g, " ").trim();
  return mailboxesInLines(given);
}

const LABELS: Record<Part, string> = {
  subject: "Subject",
  to: "To (one address a line)",
  cc: "Cc",
  bcc: "Bcc",
  text: "Text",
};

const ROWS: Record<Part, number> = { subject: 2, to: 2, cc: 1, bcc: 1, text: 12 };

/**
 * The part of the deciding form in which a mail is changed; every field is a text area, since Enter in any other would
 * press the form's first button. `values` are those that the person gave before.
 */
export function editMarkup(
  mail: Mail | null,
  values: Record<string, string> | undefined,
  button: Markup,
): Markup {
  if (mail === null || !isEditable(mail)) return html``;
  const parts = isPhone(mail) ? (["text"] as const) : PARTS;
  const areas = parts.map(
    (part) => html`<label for="edit-${part}">${LABELS[part]}</label>
${part === "text" && mail.html !== null ? html`<p class="soft" id="edit-plain">With another text, the email is sent as plain text.</p>` : ""}<textarea id="edit-${part}" name="${part}" rows="${ROWS[part]}"${part === "text" && mail.html !== null ? html` aria-describedby="edit-plain"` : ""}>
${values?.[part] ?? shownPart(mail, part)}</textarea>`,
  );
  const files = mail.attachments.map(
    ({ id, filename }) =>
      html`<label class="pick"><input type="checkbox" name="${DROP}${id}" value="1"${values?.[DROP + id] === undefined ? "" : " checked"}> ${filename}</label>`,
  );
  return html`<details${values === undefined ? "" : " open"}><summary>Change it before you approve</summary>
${areas}
${files.length === 0 ? "" : html`<fieldset><legend>Attachments to leave out</legend>${files}</fieldset>`}
${button}
</details>`;
}
