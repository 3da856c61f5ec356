import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SignalType } from "../../packages/core/src/catalogue/signals.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import type { Softening } from "../../packages/core/src/mail/screening/score/score.ts";
import {
  judgeMail,
  type ScreenedSender,
  screenContent,
  softeningFor,
} from "../../packages/core/src/mail/screening/screen.ts";
import {
  isReadablePicture,
  screenCodes,
} from "../../packages/core/src/mail/screening/signals/picture-codes.ts";
import type { ParsedMail } from "../../packages/core/src/model/parsed-mail.ts";
import type { PictureCodes } from "../../packages/core/src/ports/picture-codes.ts";
import { FRAUD, HONEST, LET_THROUGH, type Letter, OFFERS } from "../../packages/core/test/mail-of-today.ts";
import { screeningInput } from "../../packages/core/test/screened-mail.ts";
import { createPictureCodes } from "../../packages/text-extraction/src/index.ts";
import {
  buildPage,
  buildRawMail,
  decodeRaw,
  type Raw,
  withoutCollectionHeaders,
} from "../accuracy/raw-mail.ts";
import { readSpamCorpus } from "../accuracy/spam-package.ts";

/** The parts that cases are divided into: each is judged by weights that were fitted on the other four. */
export const FOLDS = 5;

/** A mail to fit the weights of findings on, or to judge them by: its findings, and none of its words. */
export interface ScreenedCase {
  set: string;
  harmful: boolean;
  found: SignalType[];
  /** The signals found if SPF, DKIM and DMARC pass for the domain of its From header. */
  found_authenticated: SignalType[];
  /** Its own Authentication-Results say that DMARC passed. */
  arrived_authenticated: boolean;
  softening: Softening;
  /** The part that it is in, with all mail of its campaign or thread. */
  fold: number;
  /** The language group of its words. */
  words: "English" | "other Latin" | "other scripts";
}

interface Labelled {
  set: string;
  id: string;
  harmful: boolean;
  raw: Uint8Array;
}

/** Files of the folder with real mail, and whether it is harmful. */
const FILES: readonly { file: string; harmful: boolean }[] = [
  { file: "measure-only/phish", harmful: true },
  { file: "measure-only/ham_enron_raw", harmful: false },
  { file: "ham_modern", harmful: false },
  { file: "ham_trigger_words", harmful: false },
  { file: "measure-only/honest_account_mails", harmful: false },
  { file: "measure-only/honest_templates", harmful: false },
  { file: "measure-only/honest_brand_mails", harmful: false },
  { file: "measure-only/honest_lists_2010", harmful: false },
];

/** Screens every mail of the folder's sets, of the SpamAssassin corpus and of our own invention, as from strangers. */
export async function readScreenedCases(folder: string): Promise<ScreenedCase[]> {
  const cases: (ScreenedCase & { keys: string[] })[] = [];
  const pictures = createPictureCodes();
  for await (const { set, id, harmful, raw } of readMails(folder)) {
    const input = screeningInput({ mail: withArchivedName(await parseMail(raw)) });
    const { mail } = input;
    const from = mail.from[0]?.address.split("@").at(-1)?.toLowerCase() ?? "";
    const subject = campaignOf(mail.subject);
    const content = screenContent(mail);
    const codes = screenCodes(mail, await codesIn(mail, pictures));
    const findings = [...content.findings, ...codes];
    const typesFrom = (sender: Partial<ScreenedSender>) =>
      judgeMail({ mail, sender: { ...input.sender, ...sender } }, { ...content, findings }).findings.map(
        ({ type }) => type,
      );
    cases.push({
      set,
      harmful,
      found: typesFrom({}),
      found_authenticated: typesFrom({ authenticated: true, spf: "pass", dkim: "pass", dmarc: "pass" }),
      arrived_authenticated: arrivedAuthenticated(mail),
      softening: softeningFor(input),
      keys: [
        ...(subject === "" ? [`${set} ${id}`] : [subject]),
        ...(harmful && from !== "" && !SHARED.test(from) ? [`@${from}`] : []),
      ],
      fold: 0,
      words: languageGroupOf(`${mail.subject} ${mail.text} ${mail.html?.replace(/<[^>]*>/g, " ") ?? ""}`),
    });
  }
  await pictures.close();
  return assignFolds(cases);
}

/** The archive of business mail keeps the sender's display name in a header of its own. */
function withArchivedName(mail: ParsedMail): ParsedMail {
  const [author, ...others] = mail.from;
  const archived = mail.headers.find(({ name }) => name === "x-from")?.value.replace(/[<@].*$/s, "");
  if (author === undefined || author.name !== "" || archived === undefined) return mail;
  return { ...mail, from: [{ ...author, name: archived.replaceAll('"', "").trim() }, ...others] };
}

/** By the topmost header, which the recipient's own server wrote. */
function arrivedAuthenticated({ headers }: ParsedMail): boolean {
  const result = headers.find(({ name }) => name === "authentication-results");
  return /\bdmarc=pass\b/i.test(result?.value ?? "");
}

async function codesIn({ attachments }: ParsedMail, pictures: PictureCodes): Promise<string[]> {
  const codes: string[] = [];
  for (const { bytes } of attachments.filter(isReadablePicture)) codes.push(...(await pictures.read(bytes)));
  return codes;
}

/** Domains whose senders have nothing to do with each other. */
const SHARED = /^pot$|^(?:gmail|outlook|hotmail|yahoo|aol)\.|onmicrosoft\.com$/;

async function* readMails(folder: string): AsyncGenerator<Labelled> {
  for (const { file, harmful } of FILES) {
    const path = join(folder, `${file}.jsonl`);
    if (!existsSync(path))
      throw new Error(`${path} is missing: the weights are fitted on all sets or not at all`);
    const set = file.split("/").at(-1) ?? file;
    for (const line of readFileSync(path, "utf8")
      .split("\n")
      .filter((text) => text !== "")) {
      const entry = JSON.parse(line) as { id: string; input?: Raw } & Parameters<typeof buildPage>[0];
      const raw =
        entry.input !== undefined
          ? withoutCollectionHeaders(decodeRaw(entry.input))
          : entry.html === undefined
            ? buildRawMail(entry)
            : buildPage(entry, "ada@agents.test");
      yield { set, id: entry.id, harmful, raw };
    }
  }
  for await (const { id, spam, raw } of readSpamCorpus())
    yield { set: spam ? "old spam" : "list mail", id, harmful: spam, raw };
  for (const letter of [...FRAUD, ...LET_THROUGH])
    yield { set: "invented fraud", id: letter.what, harmful: true, raw: rawOf(letter) };
  for (const letter of [...HONEST, ...OFFERS])
    yield { set: "invented honest mail", id: letter.what, harmful: false, raw: rawOf(letter) };
}

function rawOf({ name, address, subject, body }: Letter): Uint8Array {
  const raw = Buffer.from(buildRawMail({ from: `"${name}" <${address}>`, subject, text: body })).toString();
  return Buffer.from(body.startsWith("<") ? raw.replace("text/plain", "text/html") : raw);
}

/** Returns the letters that the subjects of one campaign or thread share, without numbers and "Re:". */
function campaignOf(subject: string): string {
  return subject
    .toLowerCase()
    .replace(/^(?:re|fwd?):\s*/, "")
    .replace(/[^\p{L}]/gu, "")
    .slice(0, 25);
}

/** Mail that shares a campaign or a sender is in one part; the parts follow from hashes. */
function assignFolds(cases: (ScreenedCase & { keys: string[] })[]): ScreenedCase[] {
  const above = new Map<string, string>();
  const top = (key: string): string => {
    let highest = key;
    for (let next = above.get(highest); next !== undefined; next = above.get(highest)) highest = next;
    return highest;
  };
  for (const { keys } of cases)
    for (const key of keys.slice(1)) {
      const [one, other] = [top(keys[0] ?? ""), top(key)];
      if (one !== other) above.set(one, other);
    }
  return cases.map(({ keys, ...screened }) => ({ ...screened, fold: hashOf(top(keys[0] ?? "")) % FOLDS }));
}

function hashOf(text: string): number {
  let hash = 7;
  for (const letter of text) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}

const ENGLISH = /\b(?:the|and|you|your|for|with|this|that|have|please)\b/gi;

function languageGroupOf(text: string): ScreenedCase["words"] {
  const letters = text.slice(0, 5_000).match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  if (letters.length > 0 && latin / letters.length < 0.5) return "other scripts";
  const words = text.slice(0, 5_000).match(/\p{L}+/gu)?.length ?? 0;
  return (text.slice(0, 5_000).match(ENGLISH)?.length ?? 0) >= words / 25 ? "English" : "other Latin";
}
