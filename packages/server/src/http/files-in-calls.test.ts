import { LIMITS } from "@letterslot/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

/**
 * Files in the JSON of a call are decoded as they come where the body is large, and with the rest where it is small: nobody
 * can tell which.
 */
let served: Served;
let key: string;
let inbox_id: string;

beforeAll(async () => {
  served = await serve();
  const { api_key, inbox } = await served.client().accounts.onboard({ username: "ada" });
  [key, inbox_id] = [api_key, inbox.id];
});
afterAll(() => served.close());

/** As much white space as makes any body a large one. */
const SPACE = " ".repeat(LIMITS.json_parsed_at_once_bytes);

async function call(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const answer = await fetch(`${served.base_url}/api/v1/inboxes/${inbox_id}/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
  const { request_id: _request, error, ...shown } = (await answer.json()) as Record<string, unknown>;
  const { request_id: _same, ...said } = (error ?? {}) as Record<string, unknown>;
  const replayed = answer.headers.get("idempotent-replayed");
  return { ...shown, status: answer.status, replayed, error: said };
}

/** As much of a file as makes it a long one; in the cases a tilde stands where it may be. */
const LONG = "A".repeat(5_000);

const mail = (attachments: string) => `{"to":["eve@example.com"],"text":"Hi","attachments":${attachments}}`;
const file = (content: string, rest = '"filename":"a.txt"') => `{${rest},"content_base64":${content}}`;

describe.each([
  ["short", ""],
  ["long", LONG],
])("of a %s file, what is wrong is said in the same words", (_, begin) => {
  test.each([
    ["messages", mail(`[${file('"~aGV"')}]`)],
    ["messages", mail(`[${file('"~aGV-"')}]`)],
    ["messages", mail(`[${file('"~aG V"')}]`)],
    ["messages", mail(`[${file('"~aGé="')}]`)],
    ["messages", mail(`[${file('"~a\\u0000=="')}]`)],
    ["messages", mail(`[${file('"~\\ud800"')}]`)],
    ["messages", mail(`[${file('"\ufeff~aGV5"')}]`)],
    ["messages", mail(`[${file('"~aGV5"')},${file('"~a"')}]`)],
    ["messages", mail(`[${file('"~aGV5"', '"content_id":"x"')}]`)],
    ["messages", mail(`[${file('"~aGV5"', '"filename":"a","upload_id":"upl_1"')}]`)],
    ["messages", mail(`[${file('"~aGV5"', '"filename":"a","size":1')}]`)],
    ["messages", mail(`[${file("5")}]`)],
    ["messages", mail(`[${file("null")}]`)],
    ["messages", mail(`[${file('["~aGV5"]')}]`)],
    ["messages", mail(`[${file('{"content_base64":"~aGV5"}')}]`)],
    ["messages", mail('["~aGV5"]')],
    ["messages", mail(file('"~aGV5"'))],
    ["messages", mail(`[[${file('"~aGV5"')}]]`)],
    ["messages", mail(`[${file('"~aGV5","content_base64":"~*"')}]`)],
    ["messages", mail(`[${file('"~aGV5"')}`)],
    ["messages", mail(`[${file('"~a\nV5"')}]`)],
    ["messages", mail(`[${file('"~aG\\q"')}]`)],
    ["messages", `{"raw":"~aGV5","to":["eve@example.com"],"text":"Hi"}`],
    ["messages", `[${mail(`[${file('"~aGV5"')}]`)}]`],
    ["drafts", mail(`[${file('"~aGV"')}]`)],
    ["inbound", `{"raw":"~aGV"}`],
    ["inbound", `{"raw":5}`],
    ["inbound", `{"raw":"~aGV5","text":"x"}`],
    ["inbound", `{"from":"eve@example.com","attachments":[{"filename":"a.txt"}]}`],
    ["inbound", `{"from":"eve@example.com","attachments":[${file('"~a"')}]}`],
    ["inbound", `{"from":"eve@example.com","attachments":[${file('"~aGV5","upload_id":"upl_1"')}]}`],
  ])("%s %s", async (path, shown) => {
    const body = shown.replaceAll("~", begin);
    const small = await call(path, body);
    expect(small.status).toBe(400);
    expect(await call(path, body + SPACE)).toEqual(small);
  });

  test("bytes that are no UTF-8", async () => {
    const body = Buffer.from(mail(`[${file(`"${begin}\xff\xff\xff\xff"`)}]`), "latin1");
    const small = await call("messages", body);
    expect(small.error).toMatchObject({ code: "invalid_json" });
    expect(await call("messages", Buffer.concat([body, Buffer.from(SPACE)]))).toEqual(small);
  });
});

describe.each([
  ["short", ""],
  ["long", LONG],
])("of a %s file", (_, begin) => {
  test.each(['"~aGV5"', '"~aGV5aGU="', '"~aGV5aGV="', '"~"', '"~Pz8\\/"', '"~a\\u0047V5"'])(
    "a call with %s is the same call, whichever way it came",
    async (shown) => {
      const content = shown.replace("~", begin);
      const headers = { "idempotency-key": crypto.randomUUID() };
      const body = mail(`[${file(content)},${file('"aGV5"')}]`);
      const first = await call("messages", body, headers);
      expect([first.status, first.replayed]).toEqual([200, null]);
      const again = await call("messages", body + SPACE, headers);
      expect([again.status, again.replayed]).toEqual([200, "true"]);
      const other = mail(`[${file(content)},${file('"aGV4"')}]`) + SPACE;
      expect((await call("messages", other, headers)).error).toMatchObject({
        code: "idempotency_key_conflict",
      });
    },
  );

  test("where fields are repeated, the last counts", async () => {
    const body = mail(`[${file(`"aGV5","content_base64":"${begin}aGU="`)}]`);
    const [small, large] = [await call("messages", body), await call("messages", body + SPACE)];
    for (const sent of [small, large])
      expect(sent).toMatchObject({ attachments: [{ size_bytes: (begin.length * 3) / 4 + 2 }] });
  });
});

test("a hundred thousand small files are refused as two are", async () => {
  const files = (count: number) => `{"raw":[${Array(count).fill('"AAAA"').join()}]}`;
  const few = await call("inbound", files(2));
  expect(few.status).toBe(400);
  expect(await call("inbound", files(LIMITS.json_keys - 2))).toEqual(few);
});
