import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import { caseCount, casesOf, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { freePort } from "../support/free-port.ts";
import { HOSTILE_SHAPES } from "../support/hostile-shapes.ts";
import type { Flood } from "../support/mail-flood.ts";
import { onboardOwner } from "../support/onboarded-owner.ts";
import { sendRaw, toData } from "../support/raw-smtp.ts";
import { type SmtpSink, startSmtpSink } from "../support/smtp.ts";
import { until } from "../support/until.ts";
import {
  type LoadCost,
  startWatchedServer,
  type WatchedAccount,
  type WatchedServer,
} from "../support/watched-server.ts";

/** Proves limits on the cost of a flood of mail: the real server in its own process, over real SMTP. */
const HONEST_WITHIN_MS = 3_000;
const MAX_HOLD_MS = 50;
const MAX_P99_MS = 50;
const MAX_RSS_BYTES = 600 * 1024 * 1024;
const MAX_CPU_MS = 1_000;
/** On a busy machine times vary: one of so many attempts must keep them. */
const TRIES = 5;
const MEGABYTE = 1_000_000;
const SENDERS = 16;
const mailsPerSender = caseCount(1, 20);
/** Stored, or refused so that the sender knows: now, because of its size, or for good. */
const PROPER_REPLIES = [250, 451, 552, 554];

const fill = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length));
const mail = (type: string, body: string) =>
  `From: Eve <eve@evil.example>\r\nTo: ada@agents.example.org\r\nSubject: hello\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${body}\r\n`;

/** Mail that costs a careless reader more than its size, of about `size` characters. */
const SHAPES: Record<string, (size: number) => string> = {
  paragraphs: (size) => mail("html", fill("<p>x", size)),
  "line breaks": (size) => mail("html", fill("<br>", size)),
  "lines of a dot": (size) => mail("plain", fill(".\r\n", size)),
  "lines of two dots": (size) => mail("plain", fill("..\r\n", size)),
  "preformatted lines": (size) => mail("html", `<pre>${fill("x\n", size)}`),
  spaces: (size) => mail("plain", fill(" ", size)),
  quotes: (size) => mail("plain", fill("> x\r\n", size)),
  Chinese: (size) => mail("plain", fill("中文", size / 3)),
  "one endless word": (size) => mail("plain", fill("é", size / 2)),
};
const REPLY_SHAPES = {
  paragraphs: SHAPES["paragraphs"] as (size: number) => string,
  words: (size: number) => mail("plain", fill("Yes, please, on Monday at nine.\r\n", size)),
  Chinese: SHAPES["Chinese"] as (size: number) => string,
};
/** The costliest for each part of the mail that they stress: the head, the parts, a text, HTML, and the words in it. */
const COSTLIEST = ["a folded header", "lines like delimiters", "reply headers", "list items", "Chinese"];
/** In the gate one of each kind, and all where all cases run. */
const tried = <T>(cases: Record<string, T>, few: string[]): [string, T][] =>
  Object.entries(cases).filter(([name]) => casesOf(few.includes(name), true));

const HEAD = "From: Eve <eve@evil.example>\r\nTo: ada@agents.example.org\r\nSubject: hello\r\n";
const FLOOD_PIECES = [
  { type: "html", piece: "<p>x" },
  { type: "html", piece: "<br>" },
  { type: "plain", piece: ".\r\n" },
  { type: "plain", piece: "..\r\n" },
] as const;

/** Sends 1 to 8 MB mails from another thread, as this one is busy measuring; resolves with the statuses. */
function flood(addressOf: (index: number) => string): Promise<number[]> {
  const senders = Array.from({ length: SENDERS }, (_, index) => ({
    from_ip: addressOf(index),
    mails: Array.from({ length: mailsPerSender }, (_mail, count) => {
      const piece = FLOOD_PIECES[(index + count) % FLOOD_PIECES.length] as (typeof FLOOD_PIECES)[number];
      return { ...piece, bytes: 2 ** (((index >> 2) + count) % 4) * MEGABYTE };
    }),
  }));
  const workerData: Flood = { port: smtp_port, to, head: HEAD, senders };
  const worker = new Worker(new URL("../support/mail-flood.ts", import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

let server: WatchedServer;
let smtp_port: number;
let ada: WatchedAccount;
let close_dns: () => Promise<unknown>;
let outside: SmtpSink;

beforeAll(async () => {
  const dns = await startDnsServer({});
  close_dns = () => dns.close();
  outside = await startSmtpSink();
  smtp_port = await freePort();
  server = await startWatchedServer({
    MAIL_DOMAIN: "agents.example.org",
    DNS_SERVER: dns.server,
    SMTP_PORT: String(smtp_port),
    SMTP_URL: outside.url,
  });
  ada = await server.signUp("ada");
  // The first mails load what reads mail, here and in the threads.
  await send("127.9.9.9", HOSTILE_SHAPES["links"]?.(300_000) ?? "");
  await send("127.9.9.9", SHAPES["paragraphs"]?.(100_000) ?? "");
}, PROOF_TIMEOUT_MS);

afterAll(async () => {
  await server?.close();
  await outside?.close();
  await close_dns?.();
});

const to = "ada@agents.example.org";
const send = (from_ip: string, raw: string, address = to) =>
  sendRaw({ port: smtp_port, from_ip, to: address, data: toData(raw) });

let numbered = 0;
/** No two mails are the same. */
const unique = (raw: string) => `X-Number: ${++numbered}\r\n${raw}`;

/** CPU time of the server with all its threads. */
function cpuMs(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Repeats a measurement until it is fine, at most `TRIES` times; resolves with the last. */
async function tryUntil<T>(attempt: () => Promise<T>, isFine: (result: T) => boolean): Promise<T> {
  let result = await attempt();
  for (let count = 1; count < TRIES && !isFine(result); count++) result = await attempt();
  return result;
}

const isUndisturbed = ({ longest_hold_ms, neighbour_p99_ms, slowdown, cpu_slowdown, peak_rss }: LoadCost) =>
  longest_hold_ms / cpu_slowdown <= MAX_HOLD_MS &&
  neighbour_p99_ms / slowdown <= MAX_P99_MS &&
  peak_rss <= MAX_RSS_BYTES;

function expectUndisturbed(cost: LoadCost) {
  const { longest_hold_ms, neighbour_p99_ms, slowdown, cpu_slowdown, peak_rss, failures } = cost;
  expect(failures).toEqual([]);
  expect(longest_hold_ms / cpu_slowdown).toBeLessThanOrEqual(MAX_HOLD_MS);
  expect(neighbour_p99_ms / slowdown).toBeLessThanOrEqual(MAX_P99_MS);
  expect(peak_rss).toBeLessThanOrEqual(MAX_RSS_BYTES);
}

const shown = ({ longest_hold_ms, neighbour_p99_ms, slowdown, peak_rss }: LoadCost): string =>
  `held ${longest_hold_ms.toFixed(0)} ms, neighbour's p99 ${neighbour_p99_ms.toFixed(0)} ms on a machine ` +
  `${slowdown.toFixed(1)} times too slow, ${(peak_rss / MEGABYTE).toFixed(0)} MB`;

const tallyOf = (statuses: number[]): string =>
  [...Map.groupBy(statuses, String)].map(([status, all]) => `${all.length} × ${status}`).join(", ");

describe("1 MB of mail takes at most a second of CPU, and never holds the loop:", () => {
  test.each(tried({ ...HOSTILE_SHAPES, ...SHAPES }, COSTLIEST))(
    "%s",
    { timeout: PROOF_TIMEOUT_MS },
    async (name, shape) => {
      let [cpu_ms, hold_ms] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let count = 0; count < TRIES && (cpu_ms >= MAX_CPU_MS || hold_ms >= MAX_HOLD_MS); count++) {
        const raw = unique(shape(MEGABYTE));
        const before = cpuMs();
        let [status, used_ms] = [0, 0];
        const { longest_hold_ms, cpu_slowdown } = await server.holdOf(async () => {
          ({ status } = await send("127.9.9.9", raw));
          used_ms = cpuMs() - before;
        });
        expect([250, 552, 554]).toContain(status);
        cpu_ms = Math.min(cpu_ms, used_ms / cpu_slowdown);
        hold_ms = Math.min(hold_ms, longest_hold_ms / cpu_slowdown);
      }
      console.log(`  ${name}: ${cpu_ms.toFixed(0)} ms of CPU, held ${hold_ms.toFixed(0)} ms`);
      expect(cpu_ms).toBeLessThan(MAX_CPU_MS);
      expect(hold_ms).toBeLessThan(MAX_HOLD_MS);
    },
  );
});

describe("one large mail holds nobody up, and is stored or properly refused:", () => {
  test.each([
    ...casesOf(["lines of a dot"], ["paragraphs", "line breaks", "lines of a dot", "lines of two dots"]).map(
      (name) => [name, 8] as const,
    ),
    ...casesOf(["Chinese"], ["spaces", "quotes", "Chinese"]).map((name) => [name, 24] as const),
  ])("%s, %i MB", { timeout: PROOF_TIMEOUT_MS }, async (name, megabytes) => {
    const attempt = async () => {
      const raw = unique(SHAPES[name]?.(megabytes * MEGABYTE) ?? "");
      const before = await newestMail();
      let status = 0;
      const cost = await server.measure(async () => {
        ({ status } = await send("127.9.9.9", raw));
      });
      expect(PROPER_REPLIES).toContain(status);
      expect((await newestMail()) !== before).toBe(status === 250);
      return { ...cost, status };
    };
    const cost = await tryUntil(attempt, isUndisturbed);
    console.log(`  ${name}, ${megabytes} MB: ${cost.status}, ${shown(cost)}`);
    expectUndisturbed(cost);
  });

  async function newestMail(): Promise<string | undefined> {
    const url = `${server.base_url}/api/v1/inboxes/${ada.inbox_id}/messages?limit=1&view=summary`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${ada.api_key}` } });
    return ((await answer.json()) as { data: { id: string }[] }).data[0]?.id;
  }
});

describe("one large mail to a letter's reply address holds nobody up, and is stored or properly refused:", () => {
  let reply_to: string;
  beforeAll(async () => {
    const owner = "grace@owner.example";
    const { client, inbox_id } = await onboardOwner(server.base_url, outside.arrived, {
      username: "asking",
      owner,
    });
    await client.updates.create({ inbox_id, kind: "needs_input", text: "Shall I book the room?" });
    const letter = await until("the letter with the question", () =>
      outside.arrived.find(({ text }) => text.includes("book the room")),
    );
    ({ reply_to } = letter);
  }, PROOF_TIMEOUT_MS);

  test.each([["paragraphs", 8] as const, ...casesOf([], [["words", 24] as const, ["Chinese", 24] as const])])(
    "%s, %i MB",
    { timeout: PROOF_TIMEOUT_MS },
    async (name, megabytes) => {
      const attempt = async () => {
        const raw = unique(REPLY_SHAPES[name](megabytes * MEGABYTE));
        let status = 0;
        const cost = await server.measure(async () => {
          ({ status } = await send("127.9.9.9", raw, reply_to));
        });
        expect(PROPER_REPLIES).toContain(status);
        return { ...cost, status };
      };
      const cost = await tryUntil(attempt, isUndisturbed);
      console.log(`  ${name}, ${megabytes} MB: ${cost.status}, ${shown(cost)}`);
      expectUndisturbed(cost);
    },
  );
});

describe("beside 16 hostile senders honest mail is accepted within 3 s, and nobody else waits:", () => {
  const sources = {
    "of one network": (index: number) => `127.66.6.${index + 1}`,
    "of 16 networks": (index: number) => `127.66.${index + 1}.1`,
  };
  const honest = {
    "a short mail": () => mail("plain", "Dinner at eight?"),
    "a newsletter of 300 KB": () =>
      mail("html", fill("<div>All the news that is fit to print.</div>\r\n", 300_000)),
  };

  test.each(tried(sources, ["of 16 networks"]))(
    "%s",
    { timeout: PROOF_TIMEOUT_MS },
    async (name, addressOf) => {
      const attempt = async () => {
        const replies: Record<string, { status: number; ms: number }[]> = {};
        let hostile: number[] = [];
        const cost = await server.measure(async () => {
          let flooding = true;
          const flooded = flood(addressOf);
          const sending = Object.entries(honest).map(async ([what, make], index) => {
            const own: { status: number; ms: number }[] = [];
            replies[what] = own;
            while (flooding) {
              own.push(await send(`127.77.${index}.7`, unique(make())));
              await new Promise((resolve) => setTimeout(resolve, 100));
            }
          });
          hostile = await flooded;
          flooding = false;
          await Promise.all(sending);
        });
        const all = Object.values(replies).flat();
        const slowest_ms = Math.max(...all.map(({ ms }) => ms));
        const refused = all.filter(({ status }) => status !== 250);
        const slowest = Object.entries(replies).map(
          ([what, own]) =>
            `${what}: ${own.length}, at most ${Math.max(...own.map(({ ms }) => ms)).toFixed(0)} ms`,
        );
        console.log(`  ${name}: ${slowest.join("; ")}; ${shown(cost)}; replies: ${tallyOf(hostile)}`);
        for (const status of hostile) expect(PROPER_REPLIES).toContain(status);
        return { ...cost, slowest_ms, refused };
      };
      const isPrompt = ({ slowest_ms, refused, slowdown }: Awaited<ReturnType<typeof attempt>>) =>
        refused.length === 0 && slowest_ms / slowdown <= HONEST_WITHIN_MS;
      const cost = await tryUntil(attempt, (result) => isPrompt(result) && isUndisturbed(result));
      expect(cost.refused).toEqual([]);
      expect(cost.slowest_ms / cost.slowdown).toBeLessThanOrEqual(HONEST_WITHIN_MS);
      expectUndisturbed(cost);
    },
  );
});
