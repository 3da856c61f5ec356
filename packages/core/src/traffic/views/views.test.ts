import { beforeEach, describe, expect, test } from "vitest";
import {
  createTestService,
  letInApp,
  signedBy,
  type TestAccount,
  type TestService,
} from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { Plans } from "../../catalogue/plans.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import { count, countedSoFar } from "../../kernel/rate.ts";

const code = (name: string, more: Record<string, unknown> = {}) =>
  expect.objectContaining({ code: name, ...more });
/** The smallest PNG there is, and others that begin like one. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const pngOf = (size: number) =>
  Buffer.concat([Buffer.from(PNG, "base64"), Buffer.alloc(size)]).subarray(0, size);
const EMAIL = "grace@example.com";
const at = (name: string) => `https://pics.example/${name}`;
const img = (url: string) => `<img src="${url}">`;
const MINUTES_5 = 5 * 60_000;

let service: TestService;
let account: TestAccount;
let inbox_id: string;
let person: { caller: AccountCaller; session_id: string };

beforeEach(async () => {
  service = createTestService();
  await setUp();
});

async function setUp() {
  account = await service.signUp();
  inbox_id = account.inbox.id;
  await service.addOwner(account, EMAIL);
  const { account_id } = account;
  await service.letterslot.operator.accounts.authority.give({ account_id, email: EMAIL });
  person = await signedIn();
}

async function signedIn() {
  const { letterslot } = service;
  const { challenge } = await letterslot.startSession({ email: EMAIL, ip: null });
  await service.work();
  const publicly = letterslot.as({ type: "public", ip: null });
  const { id } = await publicly.sessions.create({ email: EMAIL, code: service.codeFor(EMAIL), challenge });
  if (id === null) throw new Error("the session needs a passkey");
  const { account_id } = account;
  const caller = await letterslot.callerFor({ email: EMAIL, session_id: id, ip: null }, "messages.view", {
    account_id,
  });
  return { caller, session_id: id };
}

const asPerson = () => service.letterslot.as(person.caller);
const wordOf = ({ url }: { url: string }) => new URL(url).pathname.split("/").at(-1) ?? "";

async function open(view: { url: string }) {
  const { stream, headers } = await service.letterslot.openView(wordOf(view));
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  const page = Buffer.concat(pieces).toString();
  return { page, body: page.slice(page.indexOf("</style>") + "</style>".length), headers };
}

interface Part {
  id: string;
  bytes: Uint8Array;
}

/** A mail from outside. */
async function receive(
  html: string | null,
  parts: readonly Part[] = [],
  text = "The text.",
): Promise<string> {
  const lines = [
    "From: Bob <bob@example.org>",
    `To: ${account.inbox.email}`,
    "Subject: Plans <b>",
    "Content-Type: multipart/related; boundary=b0undary",
    "",
    "--b0undary",
    `Content-Type: ${html === null ? "text/plain" : "text/html"}; charset=utf-8`,
    "",
    html ?? text,
    ...parts.flatMap(({ id, bytes }) => [
      "--b0undary",
      "Content-Type: image/png",
      `Content-ID: <${id}>`,
      "Content-Disposition: inline; filename=a.png",
      "Content-Transfer-Encoding: base64",
      "",
      (
        Buffer.from(bytes)
          .toString("base64")
          .match(/.{1,76}/g) ?? []
      ).join("\r\n"),
    ]),
    "--b0undary--",
    "",
  ];
  const raw = Buffer.from(lines.join("\r\n"));
  const to = account.inbox.email;
  const report = await service.receiveRaw(raw, to, "bob@example.org", signedBy("example.org"));
  return report.results[0]?.message_id ?? "";
}

const view = async (html: string | null, parts: readonly Part[] = []) =>
  account.as.messages.view({ inbox_id, message_id: await receive(html, parts) });

describe("a view", () => {
  test("shows a mail's HTML under headers in which nothing runs", async () => {
    const made = await view(
      "<p onclick=alert(1)>Hello <a href='https://a.example/'>you</a><script>alert(1)</script>",
    );
    expect(made).toEqual({
      object: "message_view",
      url: expect.stringMatching(/^http:\/\/localhost:8025\/view\/lsv[a-z2-7]{38}$/),
      expires_at: new Date(service.clock.now().getTime() + MINUTES_5).toISOString(),
      remote_images: 0,
    });
    const { page, body, headers } = await open(made);
    expect(page).toContain("<title>Plans &lt;b&gt;</title>");
    expect(body).toBe(
      '<p>Hello <a href="https://a.example/" target="_blank" rel="noopener noreferrer">you</a>',
    );
    expect(headers).toEqual({
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy":
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-DNS-Prefetch-Control": "off",
      "Cache-Control": "no-store",
    });
  });

  test("of a mail without HTML shows its text, and of suspicious mail opens no links", async () => {
    const message_id = await receive(null, [], "1 < 2 & <b>3</b>");
    const { storage } = service.letterslot.services;
    await storage.update("messages", { id: message_id }, { labels: ["suspicious", "unread"] });
    const { body, headers } = await open(await account.as.messages.view({ inbox_id, message_id }));
    expect(body).toBe("<pre>\n1 &lt; 2 &amp; &lt;b&gt;3&lt;/b&gt;</pre>");
    expect(headers["Content-Security-Policy"]).toMatch(/^sandbox; default-src 'none'; /);
  });

  test("has the images that came with the mail, if their bytes are images", async () => {
    const made = await view(
      `${img("cid:logo%40x")}${img("CID:page")}${img("cid:none")}<td background="cid:logo@x"><p style="background:url(cid:logo@x)">`,
      [
        { id: "logo@x", bytes: Buffer.from(PNG, "base64") },
        { id: "page", bytes: Buffer.from("<svg onload=alert(1)>") },
      ],
    );
    const url = `data:image/png;base64,${PNG}`;
    expect((await open(made)).body).toBe(
      `${img(url)}${img("data:,")}<img><td background="${url}"><p style="background:url('${url}')">`,
    );
    expect(made.remote_images).toBe(0);
  });

  test("has at most so many images, and so many bytes of them", async () => {
    const small = Array.from({ length: LIMITS.view_pictures + 1 }, (_, index) => ({
      id: `small${index}`,
      bytes: pngOf(70 + index),
    }));
    const many = await open(await view(small.map(({ id }) => img(`cid:${id}`)).join(""), small));
    expect(many.body.match(/<img src="data:image\/png/g)).toHaveLength(LIMITS.view_pictures);

    const large = [
      { id: "at-most", bytes: pngOf(LIMITS.view_picture_bytes) },
      { id: "more", bytes: pngOf(LIMITS.view_picture_bytes + 1) },
    ];
    const again = await open(await view(img("cid:at-most").repeat(6) + img("cid:more"), large));
    expect(again.body.match(/<img src="data:image\/png/g)).toHaveLength(4);
    expect(again.body.match(/<img>/g)).toHaveLength(3);
  });

  test("ends after 5 minutes, and its word opens nothing else", async () => {
    const made = await view("<p>Hello");
    await service.clock.advance(MINUTES_5 - 1);
    await open(made);
    await expect(service.letterslot.openFile(wordOf(made))).rejects.toEqual(code("file_link_not_found"));
    await service.clock.advance(1);
    await expect(open(made)).rejects.toEqual(code("view_not_found"));
    await service.letterslot.sweep();
    const { storage } = service.letterslot.services;
    expect(await storage.find("file_links", { where: { inbox_id }, limit: 1 })).toEqual([]);
  });

  test("is stored by the hash of its word; others' words and links to files are no views", async () => {
    const message_id = await receive("<p>Hello");
    const made = await account.as.messages.view({ inbox_id, message_id });
    const { storage } = service.letterslot.services;
    const stored = await storage.find("file_links", { where: { inbox_id }, limit: 5 });
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(wordOf(made));
    const link = await account.as.messages.rawLink({ inbox_id, message_id });
    const word = new URL(link.url).searchParams.get("word") ?? "";
    for (const other of ["", "lsv", `lsv${"a2".repeat(19)}`, word])
      await expect(service.letterslot.openView(other)).rejects.toEqual(code("view_not_found"));
    const stranger = await service.signUp("stranger");
    await expect(stranger.as.messages.view({ inbox_id, message_id })).rejects.toEqual(
      code("inbox_not_found"),
    );
    const foreign = { inbox_id: stranger.inbox.id, message_id };
    await expect(stranger.as.messages.view(foreign)).rejects.toEqual(code("message_not_found"));
  });

  test("isn't made of held mail, and ends when its mail is held, deleted, or its inbox is", async () => {
    const message_id = await receive("<p>Hello");
    const made = await account.as.messages.view({ inbox_id, message_id });
    const { storage } = service.letterslot.services;
    const [message] = await storage.update(
      "messages",
      { id: message_id },
      { labels: ["held", "suspicious"] },
    );
    await expect(open(made)).rejects.toEqual(code("message_held"));
    await expect(account.as.messages.view({ inbox_id, message_id })).rejects.toEqual(code("message_held"));
    await storage.update("messages", { id: message_id }, { labels: message === undefined ? [] : ["unread"] });
    await account.as.messages.delete({ inbox_id, message_id });
    await expect(open(made)).rejects.toEqual(code("message_not_found"));
    await account.as.messages.restore({ inbox_id, message_id });
    await open(made);
    await account.as.inboxes.delete({ inbox_id, permanent: true });
    await expect(open(made)).rejects.toEqual(code("view_not_found"));
  });

  test("ends with the key, the session, or the grant that made it", async () => {
    const message_id = await receive("<p>Hello");
    const { id: key_id, api_key } = await account.as.keys.create({ name: "short" });
    const of_key = await service.letterslot.withKey(api_key).messages.view({ inbox_id, message_id });
    await open(of_key);
    await account.as.keys.delete({ key_id });
    await expect(open(of_key)).rejects.toEqual(code("view_not_found"));

    const of_person = await asPerson().messages.view({ inbox_id, message_id });
    await open(of_person);
    await service.letterslot.services.storage.delete("sessions", { id: person.session_id });
    await expect(open(of_person)).rejects.toEqual(code("view_not_found"));

    const scope = ["message_read", "inbox_read"] as const;
    const { access_token, grant } = await letInApp(service, account, { email: EMAIL, scope });
    const app = await service.letterslot.authenticate(access_token, null);
    const of_app = await service.letterslot.as(app).messages.view({ inbox_id, message_id });
    await open(of_app);
    await account.as.grants.delete({ client_id: grant.client_id });
    await expect(open(of_app)).rejects.toEqual(code("view_not_found"));
  });

  test("never leaves in mail: the gate refuses its word", async () => {
    const { url } = await view("<p>Hello");
    await expect(account.as.messages.send({ inbox_id, to: ["a@example.com"], text: url })).rejects.toEqual(
      code("own_secret"),
    );
  });
});

describe("remote images", () => {
  const remote = async (html: string, as = asPerson()) =>
    as.messages.view({ inbox_id, message_id: await receive(html), images: "remote" });
  const serve = (name: string, bytes: string | Uint8Array) =>
    service.receivers.documents.set(at(name), bytes);

  test("are fetched once, for a person, as often as the mail is then looked at", async () => {
    serve("a.png", Buffer.from(PNG, "base64"));
    serve("b.gif", "GIF89a and more of it");
    const html = `${img("http://pics.example/a.png#x")}<p style="background:url(${at("b.gif")})">${img(at("gone"))}`;
    const shy = await asPerson().messages.view({ inbox_id, message_id: await receive(html) });
    expect(shy.remote_images).toBe(3);
    expect((await open(shy)).body).toBe(`<img><p style="background:none"><img>`);
    expect(service.receivers.fetched).toEqual([]);

    const made = await remote(html);
    expect(made.remote_images).toBe(1);
    const { body } = await open(made);
    expect(body).toContain(`<img src="data:image/png;base64,${PNG}">`);
    expect(body).toContain(
      `url('data:image/gif;base64,${Buffer.from("GIF89a and more of it").toString("base64")}')`,
    );
    await open(made);
    expect(service.receivers.fetched).toEqual([at("a.png"), at("b.gif"), at("gone")]);
  });

  test("go when their hour is over", async () => {
    serve("a.png", Buffer.from(PNG, "base64"));
    await remote(img(at("a.png")));
    const { blobs } = service.letterslot.services;
    const hash = await blobs.put(Buffer.from(PNG, "base64"));
    await service.clock.advance(3 * 3600_000);
    await service.work();
    expect((await blobs.has([hash])).size).toBe(0);
  });

  test("go with their hour also when the storing of another one failed", async () => {
    serve("a.png", Buffer.from(PNG, "base64"));
    serve("b.png", pngOf(100));
    const { blobs } = service.letterslot.services;
    const { put } = blobs;
    blobs.put = async (bytes) => {
      if (bytes.length === 100) throw new Error("The disk is full.");
      return put(bytes);
    };
    await expect(remote(img(at("b.png")) + img(at("a.png")))).rejects.toThrow("The disk is full.");
    blobs.put = put;
    const hash = await blobs.put(Buffer.from(PNG, "base64"));
    await service.clock.advance(3 * 3600_000);
    await service.work();
    expect((await blobs.has([hash])).size).toBe(0);
  });

  test("are so many bytes an hour for an account, of which each view counts what it stored", async () => {
    const png = Buffer.from(PNG, "base64");
    serve("a.png", png);
    const { storage } = service.letterslot.services;
    const hour = {
      name: `view-bytes:${account.account_id}`,
      max: LIMITS.view_bytes_per_hour,
      window_ms: 3600_000,
    };
    // The last view that fits finds room for the most that it may store, and not for a byte more.
    const before = LIMITS.view_bytes_per_hour - LIMITS.view_pictures_bytes - 2 * png.length;
    await count(storage, hour, service.clock.now(), before);
    for (let times = 0; times < 3; times += 1) expect((await remote(img(at("a.png")))).remote_images).toBe(0);
    service.receivers.fetched.length = 0;
    for (let times = 0; times < 2; times += 1)
      await expect(remote(img(at("a.png")))).rejects.toEqual(code("rate_limited"));
    expect(service.receivers.fetched).toEqual([]);
    expect(await countedSoFar(storage, hour, service.clock.now())).toBe(before + 3 * png.length);
    await service.clock.advance(3600_000);
    person = await signedIn();
    expect((await remote(img(at("a.png")))).remote_images).toBe(0);
  });

  test("need room in the storage of the account's plan", async () => {
    service = createTestService({
      plans: Plans.parse({ default: "free", plans: { free: { storage_mb: 1 } } }),
    });
    await setUp();
    serve("large.png", pngOf(1024 * 1024));
    await expect(remote(img(at("large.png")))).rejects.toEqual(code("plan_limit_exceeded"));
    const message_id = await receive(img(at("a.png")));
    const { storage } = service.letterslot.services;
    await storage.update("accounts", { id: account.account_id }, { storage_bytes: 2 * 1024 * 1024 });
    service.receivers.fetched.length = 0;
    const asked = asPerson().messages.view({ inbox_id, message_id, images: "remote" });
    await expect(asked).rejects.toEqual(code("plan_limit_exceeded"));
    expect(service.receivers.fetched).toEqual([]);
  });

  test("are never fetched for a key or an app", async () => {
    const message_id = await receive(img(at("a.png")));
    const scope = ["message_read", "inbox_read"] as const;
    const { access_token } = await letInApp(service, account, { email: EMAIL, scope });
    const app = await service.letterslot.authenticate(access_token, null);
    for (const as of [account.as, service.letterslot.as(app)])
      await expect(as.messages.view({ inbox_id, message_id, images: "remote" })).rejects.toEqual(
        code("remote_images_refused", { kind: "forbidden" }),
      );
    expect(service.receivers.fetched).toEqual([]);
  });

  test("of a mail that a key wrote are fetched only where nobody is asked about mail", async () => {
    serve("a.png", Buffer.from(PNG, "base64"));
    const { id } = await account.as.messages.inject({
      inbox_id,
      from: "bob@example.org",
      html: img(at("a.png")),
    });
    const ask = () => asPerson().messages.view({ inbox_id, message_id: id, images: "remote" });
    expect((await ask()).remote_images).toBe(0);
    await account.as.inboxes.update({ inbox_id, release_by: "authority" });
    await expect(ask()).rejects.toEqual(code("remote_images_refused"));
    expect((await remote(img(at("a.png")))).remote_images).toBe(0);
  });

  test("of a mail that the account sent itself are fetched only where neither inbox asks about mail", async () => {
    serve("a.png", Buffer.from(PNG, "base64"));
    const sibling = await account.as.inboxes.create({ username: "sibling" });
    const sentTo = async (to: { id: string; email: string }) => {
      await account.as.messages.send({ inbox_id, to: [to.email], subject: "Plans", html: img(at("a.png")) });
      await service.work();
      const { data } = await account.as.messages.list({ inbox_id: to.id, direction: "inbound" });
      return { inbox_id: to.id, message_id: data[0]?.id ?? "" };
    };
    const copies = [await sentTo(account.inbox), await sentTo(sibling)];
    for (const copy of copies)
      expect((await asPerson().messages.view({ ...copy, images: "remote" })).remote_images).toBe(0);
    service.receivers.fetched.length = 0;
    await account.as.inboxes.update({ inbox_id, send_mode: "guarded" });
    for (const copy of copies)
      await expect(asPerson().messages.view({ ...copy, images: "remote" })).rejects.toEqual(
        code("remote_images_refused"),
      );
    expect(service.receivers.fetched).toEqual([]);
    expect((await remote(img(at("a.png")))).remote_images).toBe(0);
  });

  test("that name a secret or a canary aren't fetched", async () => {
    const { canary } = await asPerson().canaries.create({ inbox_id, name: "Instructions" });
    const { api_key } = await account.as.keys.create({ name: "leaked" });
    await expect(remote(img(at(`?c=${canary}`)))).rejects.toEqual(code("canary_leaked"));
    await expect(remote(img(at(`a/${encodeURIComponent(api_key)}`)))).rejects.toEqual(code("own_secret"));
    expect(service.receivers.fetched).toEqual([]);
  });

  test("are at most so many, of so many bytes each and in all, of the kinds that are shown", async () => {
    const names = Array.from({ length: LIMITS.view_pictures + 5 }, (_, index) => `${index}.png`);
    for (const name of names) serve(name, Buffer.from(PNG, "base64"));
    const many = await remote(names.map((name) => img(at(name))).join(""));
    expect(service.receivers.fetched).toHaveLength(LIMITS.view_pictures);
    expect((await open(many)).body.match(/data:image\/png/g)).toHaveLength(LIMITS.view_pictures);

    for (const name of ["1", "2", "3", "4", "5"]) serve(name, pngOf(LIMITS.view_picture_bytes));
    serve("large", pngOf(LIMITS.view_picture_bytes + 1));
    serve("svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    serve("html", "<p>no picture");
    serve("webp", "RIFF1234WEBPVP8 ");
    serve("jpeg", Buffer.from("ffd8ffe000104a46494600", "hex"));
    const kinds = await remote(
      ["large", "svg", "html", "webp", "jpeg"].map((name) => img(at(name))).join(""),
    );
    expect(kinds.remote_images).toBe(3);
    const all = await remote(["1", "2", "3", "4", "5"].map((name) => img(at(name))).join(""));
    expect(all.remote_images).toBe(1);
  });

  test("are given up when their time is over, and so many views a minute have them", async () => {
    const { webhookHttp } = service.letterslot.services;
    const slow = webhookHttp.file;
    webhookHttp.file = async (request) => {
      expect(request.timeout_ms).toBe(LIMITS.view_pictures_ms);
      await service.clock.advance(LIMITS.view_pictures_ms);
      return slow(request);
    };
    const names = Array.from({ length: 20 }, (_, index) => `${index}.png`);
    const late = await remote(names.map((name) => img(at(name))).join(""));
    expect(late.remote_images).toBe(20);
    expect(service.receivers.fetched.length).toBeLessThanOrEqual(LIMITS.view_pictures_at_once);

    webhookHttp.file = slow;
    await service.clock.advance(60_000);
    for (let times = 0; times < LIMITS.views_with_pictures_per_minute; times += 1)
      await remote(img(at("gone")));
    await expect(remote(img(at("gone")))).rejects.toEqual(code("rate_limited"));
  });
});
