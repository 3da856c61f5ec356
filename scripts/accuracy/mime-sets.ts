import type { MailAddress } from "../../packages/core/src/model/parsed-mail.ts";
import { htmlToText } from "../../packages/core/src/mail/new-words/extract.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";

import { type Check, check, type TestSet } from "./check.ts";
import { normal, wordLikeness } from "./likeness.ts";
import { bytesOf, type Raw } from "./raw-mail.ts";

interface Person {
  name: string | null;
  address: string | null;
}

interface StalwartCase {
  id: string;
  input: Raw;
  subject: string | null;
  from: Person[] | null;
  to: Person[] | null;
  text: [kind: string, content: string | null][];
  html: [kind: string, content: string | null][];
  n_attachments: number;
  attachments: { name: string | null }[];
}

interface ZbatesonCase {
  id: string;
  input: Raw;
  subject: string;
  from: { name: string; email: string };
  to: { name: string; email: string };
  message_id?: string | null;
  text: string | null;
  html_as_text: string | null;
  n_attachments: number;
}

const fields = "fields";
/** Line ends and padding differ between readers of one body; its words don't. */
const alike = 0.97;

const stalwart: TestSet<StalwartCase> = {
  file: "stalwart_mime",
  targets: { [fields]: 0.97 },
  async score({ id, input, subject, from, to, ...wanted }) {
    const mail = await parseMail(bytesOf(input));
    const names = mail.attachments.map(({ filename }) => filename);
    const text = wanted.text.filter(([kind]) => kind === "Text").map(([, content]) => content ?? "");
    const isHtml = wanted.html.some(([kind]) => kind === "Html");
    const html = wanted.html.filter(([kind]) => kind !== "InlineBinary").map(([, content]) => content ?? "");
    const named = wanted.attachments.flatMap(({ name }) => (name === null ? [] : [name]));
    return [
      ...(subject === null ? [] : [field(id, "subject", blanks(subject), blanks(mail.subject))]),
      ...(from === null ? [] : people(id, "from", from, mail.from)),
      ...(to === null ? [] : people(id, "to", to, mail.to)),
      ...(text.length === 0 ? [] : [body(id, "text", text.join("\n"), mail.text)]),
      ...(isHtml ? [body(id, "HTML", htmlToText(html.join("\n")), htmlToText(mail.html ?? ""))] : []),
      ...named.map((name) =>
        field(id, "attachment's name", name, names.find((found) => found === name) ?? names.join()),
      ),
    ].filter(isReadable);
  },
};

const zbateson: TestSet<ZbatesonCase> = {
  file: "zbateson",
  targets: { [fields]: 0.97 },
  async score({ id, input, ...wanted }) {
    const mail = await parseMail(bytesOf(input));
    return [
      field(id, "subject", blanks(wanted.subject), blanks(mail.subject)),
      // The set gives one person of each header; a second From field is told apart by `from_headers`.
      ...people(id, "from", [person(wanted.from)], mail.from.slice(0, 1)),
      ...people(id, "to", [person(wanted.to)], [mail.to[0] ?? { name: "", address: "" }]),
      ...(wanted.message_id
        ? [field(id, "message id", `<${wanted.message_id}>`, mail.message_id ?? "")]
        : []),
      ...(wanted.text === null ? [] : [body(id, "text", wanted.text, mail.text)]),
      check("attachments counted", id, wanted.n_attachments === mail.attachments.length, () => [
        "other number",
        `${mail.attachments.length}, wanted ${wanted.n_attachments}`,
      ]),
    ];
  },
};

/** Sets of raw mail: headers, bodies and attachments as they must be read. */
export const MIME_SETS = [stalwart, zbateson];

function field(id: string, name: string, wanted: string, found: string): Check {
  return check(fields, id, wanted === found, () => [
    name,
    `${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`,
  ]);
}

function body(id: string, name: string, wanted: string, found: string): Check {
  const likeness = wordLikeness(wanted, found);
  return check(fields, id, likeness >= alike || normal(wanted) === normal(found), () => [
    name,
    `${likeness.toFixed(2)} alike: ${JSON.stringify(found.slice(0, 120))}, wanted ${JSON.stringify(wanted.slice(0, 120))}`,
  ]);
}

/** The set's own reader could not read every header: where it put U+FFFD, nothing is to be learnt. */
const isReadable = ({ ok, detail }: Check): boolean =>
  ok || !(detail.split(", wanted ").at(-1) ?? "").includes("\ufffd");

const person = ({ name, email }: ZbatesonCase["from"]): Person => ({ name, address: email });
const blanks = (text: string): string => text.replace(/\s+/g, " ").trim();

function people(
  id: string,
  header: string,
  wanted: readonly Person[],
  found: readonly MailAddress[],
): Check[] {
  const names = (list: readonly (Person | MailAddress)[]) =>
    list.map(({ name }) => blanks(name ?? "")).join("; ");
  const addresses = (list: readonly (Person | MailAddress)[]) =>
    list.map(({ address }) => (address ?? "").toLowerCase()).join("; ");
  return [
    field(id, `${header}, name`, names(wanted), names(found)),
    field(id, `${header}, address`, addresses(wanted), addresses(found)),
  ];
}
