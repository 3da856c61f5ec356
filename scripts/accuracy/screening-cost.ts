import type { ParsedMail } from "../../packages/core/src/model/parsed-mail.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";

import { screenStranger } from "./screening-sets.ts";
import { spamPackage } from "./spam-package.ts";

const sampled = { from: 2_500, to: 3_500, mails: 500, texts: 60 };
/** Of shorter texts the headers would be most of the cost. */
const leastChars = 1_000;
const warmUps = 2;
const rounds = 4;
/** How often a mail's text is repeated to see how the cost grows; both are within what is read whole. */
const [short, long] = [4, 32];

/**
 * What screening costs, in microseconds of processor time: a mail of 3 KB (the mean of many), and a kilobyte
 * of short and of long texts.
 */
export async function screeningCost(): Promise<{
  of_3_kb: number;
  per_kb_short: number;
  per_kb_long: number;
}> {
  const mails: ParsedMail[] = [];
  for await (const { raw } of spamPackage()) {
    if (mails.length === sampled.mails) break;
    if (raw.length >= sampled.from && raw.length <= sampled.to) mails.push(await parseMail(raw));
  }
  const texts = mails.filter(({ text }) => text.length >= leastChars).slice(0, sampled.texts);
  const shorter = texts.map((mail) => repeated(mail, short));
  const longer = texts.map((mail) => repeated(mail, long));
  return {
    of_3_kb: microseconds(mails) / mails.length,
    per_kb_short: microseconds(shorter) / kilobytes(shorter),
    per_kb_long: microseconds(longer) / kilobytes(longer),
  };
}

function repeated(mail: ParsedMail, times: number): ParsedMail {
  return { ...mail, text: `${mail.text}\n`.repeat(times), html: null, attachments: [] };
}

function kilobytes(mails: readonly ParsedMail[]): number {
  return mails.reduce((sum, { text }) => sum + text.length, 0) / 1_024;
}

/**
 * The processor time of screening all mails once, warmed up: the clock of the processor is too coarse for a
 * single mail.
 */
function microseconds(mails: readonly ParsedMail[]): number {
  for (let round = 0; round < warmUps; round += 1) for (const mail of mails) screenStranger(mail);
  const began = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) for (const mail of mails) screenStranger(mail);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / rounds;
}
