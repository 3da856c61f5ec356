import { parseMail } from "../../packages/core/src/mail/parse.ts";
import { htmlToText } from "../../packages/core/src/mail/reply-extraction/extract.ts";
import type { MailAddress } from "../../packages/core/src/model/parsed-mail.ts";

import { type Check, check, type TestSet } from "./check.ts";
import { normaliseText, wordSimilarity } from "./likeness.ts";
import { decodeRaw, type Raw } from "./raw-mail.ts";

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

const MEASURE = "fields";
/** Parsers differ in the line ends and padding of a body, but not in its words. */
const MIN_SIMILARITY = 0.97;

const stalwart: TestSet<StalwartCase> = {
  file: "stalwart_mime",
  targets: { [MEASURE]: 0.97 },
  async score({ id, input, subject, from, to, ...expected }) {
    const mail = await parseMail(decodeRaw(input));
    const names = mail.attachments.map(({ filename }) => filename);
    const text = expected.text.filter(([kind]) => kind === "Text").map(([, content]) => content ?? "");
    const isHtml = expected.html.some(([kind]) => kind === "Html");
    const html = expected.html
      .filter(([kind]) => kind !== "InlineBinary")
      .map(([, content]) => content ?? "");
    const named = expected.attachments.flatMap(({ name }) => (name === null ? [] : [name]));
    return [
      ...(subject === null
        ? []
        : [checkField(id, "subject", collapseBlanks(subject), collapseBlanks(mail.subject))]),
      ...(from === null ? [] : checkPeople(id, "from", from, mail.from)),
      ...(to === null ? [] : checkPeople(id, "to", to, mail.to)),
      ...(text.length === 0 ? [] : [checkBody(id, "text", text.join("\n"), mail.text)]),
      ...(isHtml ? [checkBody(id, "HTML", htmlToText(html.join("\n")), htmlToText(mail.html ?? ""))] : []),
      ...named.map((name) =>
        checkField(id, "attachment's name", name, names.find((found) => found === name) ?? names.join()),
      ),
    ].filter(isReadable);
  },
};

const zbateson: TestSet<ZbatesonCase> = {
  file: "zbateson",
  targets: { [MEASURE]: 0.97 },
  async score({ id, input, ...expected }) {
    const mail = await parseMail(decodeRaw(input));
    return [
      checkField(id, "subject", collapseBlanks(expected.subject), collapseBlanks(mail.subject)),
      // The set has one person per header; a second From field shows in `from_headers`.
      ...checkPeople(id, "from", [toPerson(expected.from)], mail.from.slice(0, 1)),
      ...checkPeople(id, "to", [toPerson(expected.to)], [mail.to[0] ?? { name: "", address: "" }]),
      ...(expected.message_id
        ? [checkField(id, "message id", `<${expected.message_id}>`, mail.message_id ?? "")]
        : []),
      ...(expected.text === null ? [] : [checkBody(id, "text", expected.text, mail.text)]),
      check("attachments counted", id, expected.n_attachments === mail.attachments.length, () => [
        "other number",
        `${mail.attachments.length}, expected ${expected.n_attachments}`,
      ]),
    ];
  },
};

/** A whole body, or words and how often it contains them. */
type Contained = [kind: string, body: string] | [kind: string, times: number, words: string];

interface PhpmimeCase {
  id: string;
  input: Raw;
  subject: string;
  from: { display: string; address: string }[];
  to: { display: string; address: string }[];
  text: Contained;
  html: Contained;
  attachments: { filename: string; size: number; contains: string; times: number }[];
}

const phpmime: TestSet<PhpmimeCase> = {
  file: "measure-only/phpmime",
  targets: { [MEASURE]: 0.97 },
  async score({ id, input, subject, from, to, text, html, attachments }) {
    const mail = await parseMail(decodeRaw(input));
    const people = (list: PhpmimeCase["from"]) =>
      list.map(({ display, address }) => ({ name: display === address ? "" : display, address }));
    return [
      checkField(id, "subject", collapseBlanks(subject), collapseBlanks(mail.subject)),
      ...checkPeople(id, "from", people(from), mail.from),
      ...checkPeople(id, "to", people(to), mail.to),
      checkContains(id, "text", text, mail.text),
      checkContains(id, "HTML", html, mail.html ?? ""),
      ...attachments.flatMap(({ filename, size, contains, times }, index) => {
        const found = mail.attachments[index];
        const bytes = Buffer.from(found?.bytes ?? []);
        return [
          checkField(id, "attachment's name", filename, found?.filename ?? ""),
          checkField(id, "attachment's size", String(size), String(bytes.length)),
          ...(contains === ""
            ? []
            : [
                checkField(
                  id,
                  "attachment's content",
                  String(times),
                  String(bytes.toString().split(contains).length - 1),
                ),
              ]),
        ];
      }),
    ];
  },
};

/** Sets of raw mail with the expected headers, bodies and attachments. */
export const MIME_SETS = [stalwart, zbateson, phpmime];

function checkContains(id: string, name: string, expected: Contained, found: string): Check {
  if (expected.length === 2) return checkBody(id, name, expected[1], found);
  const [, times, words] = expected;
  const count = collapseBlanks(found).split(collapseBlanks(words)).length - 1;
  return check(MEASURE, id, count === times, () => [name, `${count} times, expected ${times}`]);
}

function checkField(id: string, name: string, expected: string, found: string): Check {
  return check(MEASURE, id, expected === found, () => [
    name,
    `${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`,
  ]);
}

function checkBody(id: string, name: string, expected: string, found: string): Check {
  const similarity = wordSimilarity(expected, found);
  return check(
    MEASURE,
    id,
    similarity >= MIN_SIMILARITY || normaliseText(expected) === normaliseText(found),
    () => [
      name,
      `${similarity.toFixed(2)} similar: ${JSON.stringify(found.slice(0, 120))}, expected ${JSON.stringify(expected.slice(0, 120))}`,
    ],
  );
}

/** The set's own parser could not decode every header: an expected value with U+FFFD proves nothing. */
const isReadable = ({ ok, detail }: Check): boolean =>
  ok || !(detail.split(", expected ").at(-1) ?? "").includes("\ufffd");

const toPerson = ({ name, email }: ZbatesonCase["from"]): Person => ({ name, address: email });
const collapseBlanks = (text: string): string => text.replace(/\s+/g, " ").trim();

function checkPeople(
  id: string,
  header: string,
  expected: readonly Person[],
  found: readonly MailAddress[],
): Check[] {
  const names = (list: readonly (Person | MailAddress)[]) =>
    list.map(({ name }) => collapseBlanks(name ?? "")).join("; ");
  const addresses = (list: readonly (Person | MailAddress)[]) =>
    list.map(({ address }) => (address ?? "").toLowerCase()).join("; ");
  return [
    checkField(id, `${header}, name`, names(expected), names(found)),
    checkField(id, `${header}, address`, addresses(expected), addresses(found)),
  ];
}
