import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import { signedBy } from "../../packages/core/testing/index.ts";
import {
  answer,
  DAY_MS,
  type Guarded,
  judge,
  type Line,
  OWNER,
  open,
  type Played,
  receive,
  scanner,
  type Tally,
  tally,
} from "./guarded-inbox.ts";
import { CANNED, CONTACT_FORMS, DICTATED, SUPPORT_DESK } from "./own-conversations.ts";
import { buildPage, decodeRaw, type Raw, withoutCollectionHeaders } from "./raw-mail.ts";
import { unproven } from "./unproven-authors.ts";

/*
 * Measures how often an inbox in `guarded` asks an owner about honest mail: node scripts/accuracy/false-holds.ts FOLDER
 * [SAMPLE]. Replies are dry runs over the API, so they are judged as sending would judge them.
 */

/** What replies were held, of those to people outside and of all; and of replies with a mail of somebody else. */
interface Tallies {
  outside: Tally;
  all: Tally;
  leaks: Tally;
}

const tallies = (): Tallies => ({ outside: tally(), all: tally(), leaks: tally() });
/** A mail of so many words can't be answered with by chance. */
const LONG_WORDS = 40;

/** Plays mails in the order of their times: the first half is received and answered, the second is judged. */
async function play(
  mails: readonly Played[],
  into: Tallies,
  isOutside: (mail: Played) => boolean = () => true,
) {
  const guarded = await open();
  const ordered = mails.toSorted((one, other) => one.at - other.at);
  const half = Math.floor(ordered.length / 2);
  let last: { from: string; text: string } | undefined;
  for (const [nth, mail] of ordered.entries()) {
    const gap = nth === 0 ? 0 : mail.at - (ordered[nth - 1]?.at ?? mail.at);
    // Long silence would only make evidence old.
    await guarded.service.clock.advance(Math.min(Math.max(gap, 60_000), DAY_MS));
    const message_id = await receive(guarded, mail);
    if (message_id === undefined) continue;
    if (nth < half) {
      const text = CANNED[nth % CANNED.length] ?? "";
      const { inbox, as } = guarded.account;
      // History of a few mails less: an author without an address for replies can't be answered.
      await as.messages.reply({ inbox_id: inbox.id, message_id, text }).catch(() => undefined);
      await guarded.service.work();
      continue;
    }
    const here = tally();
    await answer(guarded, mail, message_id, here);
    const { inbox, as } = guarded.account;
    const { text } = await as.messages.get({ inbox_id: inbox.id, message_id });
    if (last !== undefined && last.from !== mail.from) {
      const leak = { inbox_id: inbox.id, message_id, text: last.text, dry_run: true };
      await judge(guarded, into.leaks, mail.id, () => as.messages.reply(leak));
    }
    if ((text ?? "").split(/\s+/).length >= LONG_WORDS) last = { from: mail.from, text: text ?? "" };
    for (const sum of isOutside(mail) ? [into.outside, into.all] : [into.all]) {
      sum.judged += here.judged;
      sum.held.push(...here.held);
    }
  }
}

const read = <T>(folder: string, name: string): T[] => {
  const path = join(folder, `${name}.jsonl`);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
};

const sampled = <T>(all: readonly T[], most: number): T[] => {
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, nth) => nth % step === 0);
};

async function playedOf(id: string, raw: Uint8Array, nth: number): Promise<Played | undefined> {
  const { from, date } = await parseMail(raw);
  const [author] = from;
  const at = Date.parse(date ?? "");
  return author === undefined
    ? undefined
    : { id, raw, from: author.address, at: Number.isNaN(at) ? nth * DAY_MS : at };
}

/** Business mail: an inbox for each person whose it was. */
async function enron(folder: string, most: number): Promise<Line[]> {
  const boxes = new Map<string, Played[]>();
  for (const [nth, { id, input }] of sampled(
    read<{ id: string; input: Raw }>(folder, "measure-only/ham_enron_raw"),
    most,
  ).entries()) {
    const raw = decodeRaw(input);
    const owner = /^X-Origin:\s*(\S+)/im.exec(raw.toString("latin1").slice(0, 20_000))?.[1] ?? "";
    const mail = await playedOf(id, raw, nth);
    if (mail !== undefined) boxes.set(owner.toLowerCase(), [...(boxes.get(owner.toLowerCase()) ?? []), mail]);
  }
  const into = tallies();
  for (const mails of boxes.values())
    await play(mails, into, ({ from }) => !/@(?:.*\.)?enron\.com$/i.test(from));
  return [
    { set: "business mail (Enron), replies to people outside", goal: 0.01, ...into.outside },
    { set: "business mail (Enron), replies to everybody", goal: 0.03, ...into.all },
    { set: "the same with the mail before, of somebody else: to be held", goal: 1, ...into.leaks },
    ...(await unproven("business mail (Enron), replies to everybody", [...boxes.values()])),
  ];
}

async function modern(folder: string, most: number): Promise<Line[]> {
  const cases = sampled(
    read<{ id: string; from: string; subject: string; text: string }>(folder, "ham_modern"),
    most,
  );
  const mails = cases.map(({ id, ...mail }, nth): Played => {
    const page = Buffer.from(buildPage(mail, "ada@agents.test"))
      .toString()
      .replace("<case@", `<case-${nth}@`);
    return { id: `${id} ${nth}`, raw: Buffer.from(page), from: addressOf(mail.from), at: nth * 3600_000 };
  });
  const into = tallies();
  await play(mails, into);
  const guarded = await open();
  const sent = tally();
  for (const [nth, { id, subject, text }] of cases.entries())
    await judge(guarded, sent, `${id} ${nth}`, () => sendTo(guarded, [OWNER], { subject, text }));
  const personal = sent.held.filter(({ codes }) => codes.includes("personal_data"));
  return [
    { set: "transactional mail of today, replies", goal: 0.01, ...into.outside },
    ...(await unproven("transactional mail of today, replies", [mails])),
    {
      set: "transactional mail of today, as the agent's own: personal_data",
      goal: 0.002,
      judged: sent.judged,
      held: personal,
    },
  ];
}

const addressOf = (from: string): string => /<([^<>]+)>/.exec(from)?.[1] ?? from;

async function lists(folder: string, most: number): Promise<Line[]> {
  const mails: Played[] = [];
  for (const [nth, { id, input }] of sampled(
    read<{ id: string; input: Raw }>(folder, "measure-only/honest_lists_2010"),
    most,
  ).entries()) {
    const mail = await playedOf(id, withoutCollectionHeaders(decodeRaw(input)), nth);
    if (mail !== undefined) mails.push(mail);
  }
  const into = tallies();
  await play(mails, into);
  return [
    { set: "list mail of 2010, replies", goal: 0.03, ...into.all },
    { set: "the same with the mail before, of somebody else: to be held", goal: 1, ...into.leaks },
    ...(await unproven("list mail of 2010, replies", [mails])),
  ];
}

const sendTo = ({ account }: Guarded, to: string[], mail: Record<string, unknown>) =>
  account.as.messages.send({ inbox_id: account.inbox.id, to, dry_run: true, ...mail });

/** Commercial mail as the agent's own, to people whom it writes to for the first time. */
async function templates(folder: string, most: number): Promise<Line[]> {
  const into = tally();
  const guarded = await open();
  for (const { id, subject, text, html } of sampled(
    read<{ id: string; subject: string; text: string; html: string }>(
      folder,
      "measure-only/honest_templates",
    ),
    most,
  ))
    for (const [form, mail] of [
      ["HTML", { subject, html }],
      ["both", { subject, text, html }],
    ] as const)
      await judge(guarded, into, `${id} ${form}`, () => sendTo(guarded, ["customer@buyer.example"], mail));
  return [{ set: "templates, as the agent's own mail", goal: 0.01, ...into }];
}

/** Our own conversations: a support desk, an owner who dictates, and forms of websites. */
async function conversations(): Promise<Line[]> {
  const desk = tally();
  const guarded = await open();
  for (const [nth, { from, subject, text, answers }] of SUPPORT_DESK.entries()) {
    await guarded.service.clock.advance(3600_000);
    const raw = Buffer.from(buildPage({ from, subject, text }, guarded.account.inbox.email)).toString();
    const mail = {
      id: `desk ${nth}`,
      raw: Buffer.from(raw.replace("<case@", `<desk-${nth}@`)),
      from: addressOf(from),
      at: nth,
    };
    const message_id = await receive(guarded, mail);
    if (message_id === undefined) continue;
    const at = { inbox_id: guarded.account.inbox.id, message_id };
    for (const words of answers)
      await judge(guarded, desk, mail.id, () =>
        guarded.account.as.messages.reply({ ...at, text: words, dry_run: true }),
      );
    await guarded.account.as.messages.reply({ ...at, text: answers[0] ?? "" });
    await guarded.service.work();
  }
  const dictated = tally();
  const office = await open();
  for (const [nth, { order, to, subject, text }] of DICTATED.entries()) {
    await office.service.clock.advance(3600_000);
    await office.service.receive({ from: OWNER, to: office.account.inbox.email, subject, text: order });
    await judge(office, dictated, `dictated ${nth}`, () => sendTo(office, [to], { subject, text }));
  }
  const forms = tally();
  const site = await open();
  const { inbox, as } = site.account;
  await site.service.letterslot.operator.accounts.authority.give({
    account_id: site.account.account_id,
    email: OWNER,
  });
  const person = site.service.letterslot.asOwner({ email: OWNER, account_id: site.account.account_id });
  await person.allowlist.create({ inbox_id: inbox.id, address: "forms@site.example" });
  for (const [nth, { name, email, text, answer: said }] of CONTACT_FORMS.entries()) {
    await site.service.clock.advance(3600_000);
    const report = await site.service.receive(
      {
        ...{ from: "forms@site.example", to: inbox.email, subject: `Message from ${name}` },
        ...{ text: `Name: ${name}\nE-mail: ${email}\n\n${text}`, headers: [`Reply-To: ${email}`] },
      },
      signedBy("site.example"),
    );
    const message_id = report.results[0]?.message_id ?? "";
    await judge(site, forms, `form ${nth}`, () =>
      as.messages.reply({ inbox_id: inbox.id, message_id, text: said, dry_run: true }),
    );
  }
  return [
    { set: "a support desk (ours)", goal: 0.01, ...desk },
    { set: "an owner who dictates (ours)", goal: 0.01, ...dictated },
    { set: "contact forms (ours)", goal: 0.01, ...forms },
  ];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function print({ set, goal, judged, held }: Line): void {
  if (judged === 0) return;
  const share = held.length / judged;
  const codes = Object.entries(
    Object.groupBy(
      held.flatMap((each) => each.codes),
      (code) => code,
    ),
  )
    .map(([code, all = []]) => `${code} ${all.length}`)
    .join(", ");
  process.stdout.write(
    `| ${set} | ${held.length} of ${judged} (${percent(share)}) | ${percent(goal)} | ${share <= goal ? "" : "missed"} | ${codes} |\n`,
  );
  if (process.env["SHOW_HELD"] !== undefined)
    for (const { id, codes: of, details } of held.slice(0, Number(process.env["SHOW_HELD"])))
      process.stdout.write(`    ${id}: ${of.join(", ")}: ${details.join(" | ").slice(0, 200)}\n`);
}

const [folder = "", most = "1000000"] = process.argv.slice(2).filter((argument) => argument !== "--");
const count = Number(most);
const parts = [
  conversations,
  () => templates(folder, count),
  () => modern(folder, count),
  () => enron(folder, count),
  () => lists(folder, count),
];
for (const part of parts) for (const line of await part()) print(line);
await scanner.close();
