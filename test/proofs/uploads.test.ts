import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { createClient, whole } from "@letterslot/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caseCount, casesOf, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import {
  ALLOCATOR,
  createServerHome,
  type ServerHome,
  type ServerProcess,
} from "../support/server-process.ts";
import { until } from "../support/until.ts";

/** Proves of files by reference what only the real server in its own process can show: memory, crashes, and its disk. */
const MEGABYTE = 1_048_576;
const LARGEST = 26_214_400;
/** As many as one process takes; fewer in the gate. */
const AT_ONCE = casesOf(10, 50);
const ALL_TAKE_MB = 600;
const ONE_HOLDS_MB = 8;
const STALLED = 10;
const DOWNLOADS_TAKE_MB = 100;
/** On a busy machine, garbage waits longer. */
const TRIES = 3;

let home: ServerHome;
let server: ServerProcess;
let client: ReturnType<typeof createClient>;
let inbox_id: string;
let output = "";
const words: string[] = [];

beforeAll(async () => {
  home = await createServerHome(ALLOCATOR);
  server = await home.start();
  ({ client, inbox_id } = await open("ada"));
}, PROOF_TIMEOUT_MS);

afterAll(async () => {
  await server?.end("SIGTERM");
  home?.remove();
});

async function open(username: string) {
  const opened = await createClient({ baseUrl: home.base_url }).accounts.onboard({ username });
  const own = createClient({ baseUrl: home.base_url, apiKey: opened.api_key });
  return { client: own, inbox_id: opened.inbox.id };
}

const wordIn = (url: string) => {
  const word = new URL(url).searchParams.get("word") ?? "";
  words.push(word);
  return word;
};
const here = (url: string) => `${home.base_url}/api/v1/${/uploads|files/.exec(url)?.[0]}?word=${wordIn(url)}`;
const create = () => client.uploads.create({ inbox_id, filename: "report.pdf" });
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const put = async (url: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> => {
  const response = await fetch(url, { method: "PUT", body: bytes });
  await response.arrayBuffer();
  return response.status;
};

/** A PUT over a connection of its own, piece by piece as the server takes them, but for its last byte; returns what sends that. */
function putAllButOneByte(url: string, piece: Buffer, size = LARGEST): Promise<() => Promise<number>> {
  const sending = request(url, { method: "PUT", agent: false, headers: { "content-length": size } });
  const answered = once(sending, "response").then(async ([response]) => {
    const { statusCode } = (response as IncomingMessage).resume();
    return statusCode ?? 0;
  });
  // A server that is killed answers nothing; whoever waits for the answer sees that.
  answered.catch(() => undefined);
  return new Promise((resolve, reject) => {
    sending.on("error", reject);
    let left = size - 1;
    const end = () => {
      sending.end("x");
      return answered;
    };
    const more = () => {
      while (left > 0) {
        const next = piece.subarray(0, Math.min(left, piece.length));
        left -= next.length;
        if (!sending.write(next)) return void sending.once("drain", more);
      }
      resolve(end);
    };
    more();
  });
}

const putLargest = async (url: string, piece: Buffer, size = LARGEST): Promise<number> => {
  const end = await putAllButOneByte(url, piece, size);
  return end();
};

const received = () => join(home.data_dir, "blobs", "incoming");
const incoming = (): string[] => {
  try {
    return readdirSync(received());
  } catch {
    return [];
  }
};

/** The bytes of uploads under way that are on the disk. */
const incomingBytes = (): number =>
  incoming().reduce((sum, name) => sum + statSync(join(received(), name)).size, 0);

const anonymousMb = (): number =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;

/** The most that work takes beyond what was taken before, in the last of several tries: the first within the bound. */
async function memoryOf(bound_mb: number, work: () => Promise<void>): Promise<number> {
  let taken = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && taken > bound_mb; tries++) {
    const before = anonymousMb();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, anonymousMb());
    }, 5);
    await work();
    clearInterval(watch);
    taken = peak - before;
  }
  return taken;
}

/** The server dies and comes back, with all that it said so far kept. */
async function killed(): Promise<void> {
  await server.end("SIGKILL");
  output += server.output();
  server = await home.start();
}

describe("memory", { timeout: PROOF_TIMEOUT_MS }, () => {
  let accounts = 0;

  test("10 uploads that stall before their last byte hold at most 8 MB each", async () => {
    const piece = randomBytes(MEGABYTE);
    for (let count = 0; count < 3; count++)
      await putLargest(here((await create()).put_url), piece, 2 * MEGABYTE);
    const taken = await memoryOf(STALLED * ONE_HOLDS_MB, async () => {
      const urls = (await Promise.all(Array.from({ length: STALLED }, create))).map(({ put_url }) =>
        here(put_url),
      );
      const stalled = await Promise.all(urls.map((url) => putAllButOneByte(url, piece)));
      await until(
        "all bytes to come",
        () => incomingBytes() >= STALLED * (LARGEST - ONE_HOLDS_MB * MEGABYTE),
      );
      for (const end of stalled) expect(await end()).toBe(200);
    });
    console.log(`  at most ${taken.toFixed(0)} MB`);
    expect(taken).toBeLessThanOrEqual(STALLED * ONE_HOLDS_MB);
  });

  test(`${AT_ONCE} uploads of 25 MB at once take at most 600 MB`, async () => {
    const piece = randomBytes(MEGABYTE);
    const taken = await memoryOf(ALL_TAKE_MB, async () => {
      // More than one account may wait for.
      const two = await Promise.all([0, 1].map(() => open(`many-${++accounts}`)));
      const creating = two.flatMap((each) =>
        Array.from({ length: AT_ONCE / 2 }, () =>
          each.client.uploads.create({ inbox_id: each.inbox_id, filename: "a.bin" }),
        ),
      );
      const urls = (await Promise.all(creating)).map(({ put_url }) => here(put_url));
      const statuses = await Promise.all(urls.map((url) => putLargest(url, piece)));
      expect(statuses.every((status) => status === 200)).toBe(true);
    });
    console.log(`  at most ${taken.toFixed(0)} MB`);
    expect(taken).toBeLessThanOrEqual(ALL_TAKE_MB);
  });

  test("20 slow downloads of 25 MB at once take at most 100 MB", async () => {
    const { put_url, id: upload_id } = await create();
    // As much as fits beside the text.
    const size = LARGEST - 100;
    expect(await putLargest(here(put_url), randomBytes(MEGABYTE), size)).toBe(200);
    const { id: message_id, attachments } = await send(upload_id);
    const attachment_id = attachments[0]?.id ?? "";
    const link = here((await client.attachments.link({ inbox_id, message_id, attachment_id })).url);
    const taken = await memoryOf(DOWNLOADS_TAKE_MB, async () => {
      const sizes = await Promise.all(Array.from({ length: 20 }, () => readSlowly(link)));
      expect(new Set(sizes)).toEqual(new Set([size]));
    });
    console.log(`  at most ${taken.toFixed(0)} MB`);
    expect(taken).toBeLessThanOrEqual(DOWNLOADS_TAKE_MB);
  });
});

/** Reads a file whose reader is slow to begin; returns its size. */
async function readSlowly(url: string): Promise<number> {
  const asking = request(url, { agent: false }).end();
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  // What it doesn't read fills the connection's buffers, and no more.
  await after(1_000);
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) size += piece.length;
  return size;
}

/** Sends a mail with an upload. */
const send = async (upload_id: string) =>
  whole(
    await client.messages.send({
      inbox_id,
      to: ["olga@example.com"],
      text: "See.",
      attachments: [{ upload_id }],
    }),
  );

/** What mail with an upload has as its attachment. */
async function sentBytes(upload_id: string): Promise<Uint8Array> {
  const { id: message_id, attachments } = await send(upload_id);
  const attachment_id = attachments[0]?.id ?? "";
  return (await client.attachments.get({ inbox_id, message_id, attachment_id })).bytes;
}

describe("kill -9", { timeout: PROOF_TIMEOUT_MS }, () => {
  test("between PUT and send loses nothing: the upload is ready, and is sent whole", async () => {
    const uploads = await Promise.all(
      [1_000, 300_000, 5_000_000].map(async (size) => {
        const [upload, bytes] = [await create(), randomBytes(size)];
        expect(await put(here(upload.put_url), bytes)).toBe(200);
        return { id: upload.id, bytes };
      }),
    );
    await killed();
    for (const { id, bytes } of uploads) {
      expect(await client.uploads.get({ inbox_id, upload_id: id })).toMatchObject({ status: "ready" });
      expect(sha256(await sentBytes(id))).toBe(sha256(bytes));
    }
  });

  test("during a PUT leaves an upload that waits or is ready, and nothing half", async () => {
    const bytes = randomBytes(10_000_000);
    const upload = await create();
    const url = here(upload.put_url);
    const broken = request(url, { method: "PUT", headers: { "content-length": bytes.length } });
    broken.on("error", () => undefined);
    broken.write(bytes.subarray(0, 5_000_000));
    await until("bytes to come", () => incoming().length > 0);
    await killed();
    expect(await client.uploads.get({ inbox_id, upload_id: upload.id })).toMatchObject({ status: "waiting" });
    expect(await put(url, bytes)).toBe(200);
    expect(incoming()).toEqual([]);
    expect(sha256(await sentBytes(upload.id))).toBe(sha256(bytes));

    // As it is put away.
    for (const delay of caseCount([20], [5, 10, 20, 60, 100])) {
      const next = await create();
      // Killed before its answer or after it: both are what is tried.
      const answered = put(here(next.put_url), bytes).catch(() => undefined);
      await after(delay);
      await killed();
      const status = await answered;
      const found = await client.uploads.get({ inbox_id, upload_id: next.id });
      if (status === 200) expect(found.status).toBe("ready");
      // The same bytes again are welcome, whether they had come or not.
      expect(await put(here(next.put_url), bytes)).toBe(200);
      expect(sha256(await sentBytes(next.id))).toBe(sha256(bytes));
    }
    expect(incoming()).toEqual([]);
  });
});

describe("words", () => {
  test("of links open one file of one account, whatever else is asked for with them", async () => {
    const other = await open("mallory");
    const files = await Promise.all(
      [randomBytes(5_000), randomBytes(6_000)].map(async (bytes) => {
        const upload = await create();
        await put(here(upload.put_url), bytes);
        const { id: message_id, attachments } = await send(upload.id);
        return { bytes, file: { inbox_id, message_id, attachment_id: attachments[0]?.id ?? "" } };
      }),
    );
    const [{ bytes, file }, second] = files as [(typeof files)[0], (typeof files)[0]];
    const link = here((await client.attachments.link(file)).url);
    await expect(other.client.attachments.link(file)).rejects.toMatchObject({ code: "inbox_not_found" });
    await expect(other.client.attachments.link({ ...file, inbox_id: other.inbox_id })).rejects.toMatchObject({
      code: "message_not_found",
    });
    const also = new URLSearchParams({ ...second.file, account_id: "acc_other", path: "../../x" });
    for (const url of [link, `${link}&${also.toString()}`, `${link}&word=lsv${"a2".repeat(19)}`]) {
      const response = await fetch(url);
      expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(bytes));
    }
    for (const path of ["/api/v1/me", `/api/v1/inboxes/${inbox_id}/messages`, "/api/v1/uploads"]) {
      const word = new URL(link).searchParams.get("word") ?? "";
      const keyed = { headers: { authorization: `Bearer ${word}` } };
      for (const response of [
        await fetch(
          `${home.base_url}${path}?word=${word}`,
          path.endsWith("uploads") ? { method: "PUT", body: "x" } : {},
        ),
        await fetch(
          `${home.base_url}${path}`,
          path.endsWith("uploads") ? { method: "PUT", body: "x" } : keyed,
        ),
      ])
        expect([401, 404]).toContain(response.status);
    }
  });

  test("stand in no log, event, answer to another call, or file on disk", async () => {
    const { client: other } = await open("eve");
    await client.uploads.create({ inbox_id, filename: "again.txt" }).then(({ put_url }) => wordIn(put_url));
    const seen = JSON.stringify([
      ...(await Promise.all([client.events.list({}), other.events.list({}), client.me.get()])),
      await client.messages.list({ inbox_id }),
    ]);
    output += server.output();
    expect(output).toContain("/api/v1/uploads");
    // All but the files themselves, which are random here.
    const disk = readdirSync(home.data_dir, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && !each.parentPath.includes("blobs"))
      .map((each) => join(each.parentPath, each.name))
      // A temporary file may go meanwhile.
      .map((path) => (existsSync(path) ? readFileSync(path, "latin1") : ""));
    expect(words.length).toBeGreaterThan(10);
    for (const word of words) {
      expect(word).toMatch(/^ls[uv][a-z2-7]{38}$/);
      expect(output + seen).not.toContain(word);
      expect(disk.some((text) => text.includes(word))).toBe(false);
    }
  });
});
