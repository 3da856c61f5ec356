import { randomBytes } from "node:crypto";
import { get as httpGet, type IncomingMessage } from "node:http";
import { LIMITS } from "@letterslot/core";
import type { TestAccount } from "@letterslot/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const grace = "grace@example.com";
const OWN = "http://letterslot.test";
/** More pieces than sockets and streams in between buffer. */
const PIECES = 24;

let served: Served;
let account: TestAccount;

beforeEach(async () => {
  served = await serve();
  account = await served.signUp("agent");
});
afterEach(() => served.close());

const at = (path: string) => `${served.base_url}/api/v1/account/export${path}`;
const keyed = (api_key = account.api_key) => ({ authorization: `Bearer ${api_key}` });

/** Signs a person in and returns the headers that their browser then sends. */
async function signIn(): Promise<Record<string, string>> {
  const send = (path: string, cookie: string, body: object) =>
    fetch(`${served.base_url}/api/v1/owners/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: OWN, cookie },
      body: JSON.stringify(body),
    });
  const cookiesOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0] ?? "")
      .join("; ");
  const started = await send("session/start", "", { email: grace });
  await served.work();
  const code = served.codeFor(grace);
  return {
    origin: OWN,
    cookie: cookiesOf(await send("session", cookiesOf(started), { email: grace, code })),
  };
}

async function ask(headers: Record<string, string> = keyed()) {
  const response = await served.fetch(at(""), { method: "POST", headers });
  return { status: response.status, body: (await response.json()) as { id: string; status: string } };
}

async function statusAndCode(path: string, headers: Record<string, string>) {
  const response = await served.fetch(at(path), { headers });
  const { error } = (await response.json()) as { error?: { code: string } };
  return [response.status, error?.code];
}

async function addBytes() {
  for (let number = 0; number < PIECES; number += 8)
    await account.as.drafts.create({
      inbox_id: account.inbox.id,
      to: [grace],
      text: "x",
      attachments: Array.from({ length: 8 }, (_, index) => ({
        filename: `${index}.bin`,
        content_base64: randomBytes(LIMITS.export_part_bytes).toString("base64"),
      })),
    });
}

/** Begins to read a response and reads no further than its head. */
const begin = (path: string, headers: Record<string, string>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => httpGet(at(path), { headers, agent: false }, resolve).on("error", reject));

describe("an export over HTTP", () => {
  test("is asked for, is ready, and is downloaded as a zip", async () => {
    const { status, body } = await ask();
    expect([status, body]).toMatchObject([200, { object: "account_export", status: "pending", url: null }]);
    expect(await statusAndCode(`/${body.id}/download`, keyed())).toEqual([409, "export_not_ready"]);
    await served.work();
    const client = served.client(account.api_key);
    const shown = await client.exports.get({ export_id: body.id });
    expect(shown.url).toBe(`${OWN}/api/v1/account/export/${body.id}/download`);
    const response = await served.fetch(at(`/${body.id}/download`), { headers: keyed() });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-length": String(shown.size_bytes),
      "content-disposition": `attachment; filename="${account.account_id}.zip"`,
      "x-content-type-options": "nosniff",
      "cache-control": "private",
    });
    const zip = Buffer.from(await response.arrayBuffer());
    expect(zip.length).toBe(shown.size_bytes);
    expect(zip.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
    const download = await client.exports.download({ export_id: body.id });
    expect(download.filename).toBe(`${account.account_id}.zip`);
    expect(download.size_bytes).toBe(zip.length);
    expect(zip.equals(Buffer.from(await new Response(download.stream).arrayBuffer()))).toBe(true);
  });

  test("is a person's in any session of theirs, and neither a key's nor without a session", async () => {
    await served.letterslot.operator.accounts.authority.give({
      account_id: account.account_id,
      email: grace,
    });
    const { body } = await ask(await signIn());
    expect(body).toMatchObject({ held_content: true });
    await served.work();
    await served.clock.advance(3600_000);
    const later = await signIn();
    expect((await served.fetch(at(`/${body.id}/download`), { headers: later })).status).toBe(200);
    expect(await statusAndCode(`/${body.id}`, keyed())).toEqual([404, "export_not_found"]);
    expect(await statusAndCode(`/${body.id}/download`, keyed())).toEqual([404, "export_not_found"]);
    expect(await statusAndCode(`/${body.id}/download`, {})).toEqual([401, "invalid_api_key"]);
    const elsewhere = await served.fetch(at(""), {
      method: "POST",
      headers: { ...later, origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    });
    expect(elsewhere.status).toBe(403);
  });

  test("of another account doesn't exist, and the third in a day is refused with when to come again", async () => {
    const other = await served.signUp("other");
    const { body } = await ask();
    await served.work();
    expect(await statusAndCode(`/${body.id}`, keyed(other.api_key))).toEqual([404, "export_not_found"]);
    expect(await statusAndCode(`/${body.id}/download`, keyed(other.api_key))).toEqual([
      404,
      "export_not_found",
    ]);
    await ask();
    await served.work();
    const third = await served.fetch(at(""), { method: "POST", headers: keyed() });
    expect(third.status).toBe(429);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("a download", () => {
  test("is read no faster than it is taken, and what is given up frees its place", async () => {
    await addBytes();
    const { body } = await ask();
    await served.work();
    const { blobs } = served.letterslot.services;
    const get = blobs.get.bind(blobs);
    let read = 0;
    blobs.get = (hash) => {
      read++;
      return get(hash);
    };
    const open: IncomingMessage[] = [];
    for (let number = 0; number < LIMITS.concurrent_streams_per_key; number++)
      open.push(await begin(`/${body.id}/download`, keyed()));
    expect(await statusAndCode(`/${body.id}/download`, keyed())).toEqual([429, "rate_limited"]);
    await expect.poll(() => read).toBeGreaterThanOrEqual(open.length);
    expect(read).toBeLessThan((open.length * PIECES) / 2);
    for (const response of open) response.destroy();
    await expect
      .poll(async () => {
        const response = await begin(`/${body.id}/download`, keyed());
        response.destroy();
        return response.statusCode;
      })
      .toBe(200);
  });

  test("breaks off when its bytes are gone, so that nobody takes a part for the whole", async () => {
    await addBytes();
    const { body } = await ask();
    await served.work();
    const { blobs, storage } = served.letterslot.services;
    const where = { export_id: body.id, number: 5 };
    const [part] = await storage.find("export_parts", { where, limit: 1 });
    await served.clock.advance(3600_000);
    await blobs.delete(part?.hash ?? "", served.clock.now());
    const response = await fetch(at(`/${body.id}/download`), { headers: keyed() });
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow("terminated");
  });
});
