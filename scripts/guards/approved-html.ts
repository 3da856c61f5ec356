import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const cleaning = `${core}/mail/outgoing-html`;
const cleaned = `${cleaning}/clean-html.test.ts`;
const approved = `${core}/approvals/clean-draft.test.ts`;
const letter = `${core}/letters/approval.ts`;

/** What an owner is shown of a mail is what is sent. */
export const approvedHtml: Guard[] = [
  guard(
    "HTML is cleaned before an owner is asked about it",
    [`${core}/approvals/ask.ts`, "const bodies = bodiesOfSame(cleaned, given);", "const bodies = given;"],
    [approved, "what is approved is what is sent"],
  ),
  guard(
    "the text part of an approved mail is made from its HTML",
    [
      `${core}/approvals/clean-draft.ts`,
      "return { text: clean.text, html",
      "return { text: text ?? clean.text, html",
    ],
    [approved, "the text part is made from the HTML"],
  ),
  guard(
    "hidden elements are taken out of an approved mail",
    [`${cleaning}/clean-html.ts`, "if (isHidden(element))", "if (false)"],
    [cleaned, "a hidden element"],
  ),
  guard(
    "words in the colour of their background become readable",
    [
      `${cleaning}/clean-style.ts`,
      "read !== undefined && isReadable(read, background)",
      "read !== undefined",
    ],
    [cleaned, "white on white"],
  ),
  guard(
    "direction overrides are taken out of an approved mail",
    [`${cleaning}/clean-html.ts`, "const text = withoutControls(child.text);", "const text = child.text;"],
    [cleaned, "a direction override"],
  ),
  guard(
    "words loose in a table stay in their place",
    [`${cleaning}/arrange.ts`, 'if (parent === "table") return [element("tbody", rowsOf(children))];'],
    [cleaned, "words loose in a table"],
  ),
  guard(
    "a letter about a mail with attachments is not whole",
    [letter, "attachments.length === 0 &&"],
    [approved, "an attachment"],
  ),
  guard(
    "a letter that can't hold the whole mail says so",
    [letter, "[body, shown].every(({ length }) => length <= MAX_BLOCK_CHARS) &&"],
    [approved, "says so"],
  ),
  guard(
    "a letter shows invisible characters",
    [letter, 'marked(showHidden(text ?? ""))', 'marked(text ?? "")'],
    [approved, "invisible characters are shown"],
  ),
  guard(
    "the owner's page renders only HTML that was cleaned",
    [
      `${core}/approvals/review.ts`,
      "draft?.html != null && (await isClean(services, draft))",
      "draft?.html != null",
    ],
    [approved, "renders cleaned HTML alone"],
  ),
  guard(
    "an owner is asked about the draft that was cleaned",
    [`${core}/approvals/clean-draft.ts`, " || contentOf(cleaned.of) !== contentOf(draft)"],
    [`${core}/approvals/clean-draft.test.ts`, "changed after it was cleaned"],
  ),
  guard(
    "the frame of a mail runs nothing",
    ["packages/server/src/pages/mail-frame.ts", ' sandbox=""'],
    ["test/approval-frame.test.ts", "runs nothing"],
  ),
  guard(
    "captured mail is shown with cleaned HTML alone",
    ["packages/server/src/internal/outbox.ts", "cleanHtml(body, new Set(content_ids)).html", "body"],
    ["packages/server/src/internal/outbox.test.ts", "in a frame that can do nothing"],
  ),
];
