import { parseMail } from "../../packages/core/src/mail/parse.ts";
import type { ParsedMail } from "../../packages/core/src/model/parsed-mail.ts";

import { screenStranger } from "./screening-sets.ts";
import { readSpamCorpus } from "./spam-package.ts";

const SAMPLE = { from: 2_500, to: 3_500, mails: 500, texts: 60 };
/** For shorter texts, the headers would dominate the cost. */
const MIN_CHARS = 1_000;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 4;
/** The numbers of repetitions of a mail's text that show how the cost grows; both stay below the length limit. */
const [SHORT, LONG] = [4, 32];

/** Measures screening in microseconds of CPU: the mean of 3 KB mails, and per kilobyte of short and long texts. */
export async function measureScreeningCost(): Promise<{
  of_3_kb: number;
  per_kb_short: number;
  per_kb_long: number;
}> {
  const mails: ParsedMail[] = [];
  for await (const { raw } of readSpamCorpus()) {
    if (mails.length === SAMPLE.mails) break;
    if (raw.length >= SAMPLE.from && raw.length <= SAMPLE.to) mails.push(await parseMail(raw));
  }
  const texts = mails.filter(({ text }) => text.length >= MIN_CHARS).slice(0, SAMPLE.texts);
  const shorter = texts.map((mail) => repeatText(mail, SHORT));
  const longer = texts.map((mail) => repeatText(mail, LONG));
  return {
    of_3_kb: measureMicroseconds(mails) / mails.length,
    per_kb_short: measureMicroseconds(shorter) / countKilobytes(shorter),
    per_kb_long: measureMicroseconds(longer) / countKilobytes(longer),
  };
}

function repeatText(mail: ParsedMail, times: number): ParsedMail {
  return { ...mail, text: `${mail.text}\n`.repeat(times), html: null, attachments: [] };
}

function countKilobytes(mails: readonly ParsedMail[]): number {
  return mails.reduce((sum, { text }) => sum + text.length, 0) / 1_024;
}

/** CPU time of screening all mails once, after a warm-up; the CPU clock is too coarse for a single mail. */
function measureMicroseconds(mails: readonly ParsedMail[]): number {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) for (const mail of mails) screenStranger(mail);
  const began = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) for (const mail of mails) screenStranger(mail);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / ROUNDS;
}
