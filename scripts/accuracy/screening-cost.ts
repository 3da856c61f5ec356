import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import type { ParsedMail } from "../../packages/core/src/model/parsed-mail.ts";

import { buildPage } from "./raw-mail.ts";
import { screenStranger } from "./screening-sets.ts";
import { readSpamCorpus } from "./spam-package.ts";

const SAMPLE = { from: 2_500, to: 3_500, mails: 500, texts: 60 };
/** For shorter texts, the headers would dominate the cost. */
const MIN_CHARS = 1_000;
/** The file with pages, and the length of those that are measured. */
const PAGES = { file: "measure-only/honest_templates", from: 38_000, to: 60_000 };
const WARM_UP_ROUNDS = 2;
const ROUNDS = 4;
/** The numbers of repetitions of a mail's text that show how the cost grows; both stay below the length limit. */
const [SHORT, LONG] = [4, 32];

/** Microseconds of CPU for a mail, and how many times its parsing in the same run that is. */
export interface Cost {
  screening: number;
  parsing: number;
}

/** Measures screening in microseconds of CPU: of 3 KB mails, of pages if the folder has some, and per kilobyte of short and long texts. */
export async function measureScreeningCost(folder: string | undefined): Promise<{
  of_3_kb: Cost;
  of_pages: Cost | null;
  per_kb_short: number;
  per_kb_long: number;
}> {
  const raws: Uint8Array[] = [];
  for await (const { raw } of readSpamCorpus()) {
    if (raws.length === SAMPLE.mails) break;
    if (raw.length >= SAMPLE.from && raw.length <= SAMPLE.to) raws.push(raw);
  }
  const of_3_kb = await costOf(raws);
  const pages = pagesOf(folder);
  const of_pages = pages.length === 0 ? null : await costOf(pages);
  const mails = await Promise.all(raws.map((raw) => parseMail(raw)));
  const texts = mails.filter(({ text }) => text.length >= MIN_CHARS).slice(0, SAMPLE.texts);
  const shorter = texts.map((mail) => repeatText(mail, SHORT));
  const longer = texts.map((mail) => repeatText(mail, LONG));
  return {
    of_3_kb,
    of_pages,
    per_kb_short: (await measureMicroseconds(() => screenAll(shorter))) / countKilobytes(shorter),
    per_kb_long: (await measureMicroseconds(() => screenAll(longer))) / countKilobytes(longer),
  };
}

/** Raw mails that are one long page and its text. */
function pagesOf(folder: string | undefined): Uint8Array[] {
  const path = join(folder ?? "", `${PAGES.file}.jsonl`);
  if (folder === undefined || !existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Parameters<typeof buildPage>[0])
    .filter(({ html }) => html != null && html.length >= PAGES.from && html.length <= PAGES.to)
    .map((page) => buildPage(page, "ada@agents.test"));
}

async function costOf(raws: readonly Uint8Array[]): Promise<Cost> {
  const mails: ParsedMail[] = [];
  for (const raw of raws) mails.push(await parseMail(raw));
  const parsing = await measureMicroseconds(async () => {
    for (const raw of raws) await parseMail(raw);
  });
  const screening = await measureMicroseconds(() => screenAll(mails));
  return { screening: screening / raws.length, parsing: parsing / raws.length };
}

const screenAll = (mails: readonly ParsedMail[]): void => {
  for (const mail of mails) screenStranger(mail);
};

function repeatText(mail: ParsedMail, times: number): ParsedMail {
  return { ...mail, text: `${mail.text}\n`.repeat(times), html: null, attachments: [] };
}

function countKilobytes(mails: readonly ParsedMail[]): number {
  return mails.reduce((sum, { text }) => sum + text.length, 0) / 1_024;
}

/** CPU time of some work on all mails once, after a warm-up; the CPU clock is too coarse for a single mail. */
async function measureMicroseconds(work: () => void | Promise<void>): Promise<number> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await work();
  const began = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / ROUNDS;
}
