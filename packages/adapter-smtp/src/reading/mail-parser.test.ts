import { readMail } from "@letterslot/core/mail";
import type { Dns } from "@letterslot/core/ports";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { measureLongestTick } from "../../../../test/support/processor-time.ts";
import { createSenderAuth } from "../sender/sender-auth.ts";
import { type DkimKey, dkimRecord, generateDkimKey, signMail } from "../transport/dkim.ts";
import { createMailParser, type ThreadedMailParser } from "./mail-parser.ts";

/** The longest time that any message may block the event loop. */
const MAX_BLOCKED_MS = 50;

let parser: ThreadedMailParser;
beforeAll(() => {
  parser = createMailParser({ threads: 1 });
});
afterAll(() => parser.close());

const options = { screeningTimeoutMs: 1_000 };
const lines = (...all: string[]) => Buffer.from(all.join("\r\n"));
const nested = (depth: number) =>
  `${"Content-Type: message/rfc822\r\n\r\n".repeat(depth)}Subject: in\r\n\r\ndeep`;

describe("parsing", () => {
  test("an ordinary message and an expensive one give the same result", async () => {
    const mail = (body: string) =>
      lines("From: ada@example.com", "Subject: Größe", "Content-Type: text/plain; charset=utf-8", "", body);
    const small = await parser.parse(mail("Hallo"), options);
    const large = await parser.parse(mail("Hallo".repeat(60_000)), options);
    expect(small).toMatchObject({ subject: "Größe", text: "Hallo", from: [{ address: "ada@example.com" }] });
    expect(large).toMatchObject({ headers: small.headers, from: small.from, text: "Hallo".repeat(60_000) });
  });

  test("attachments come back from the worker as bytes", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const mail = await parser.parse(
      lines("Content-Type: image/png", "Content-Transfer-Encoding: base64", "", bytes.toString("base64")),
      options,
    );
    expect(mail.attachments[0]?.bytes).toBeInstanceOf(Uint8Array);
    expect(Buffer.from(mail.attachments[0]?.bytes ?? []).equals(bytes)).toBe(true);
  });

  test("long bodies are read in a worker, with the same result", async () => {
    const raw = lines("Content-Type: text/html", "", "<li>a".repeat(15_000));
    await parser.parse(raw, options);
    let read: unknown;
    const longest = await measureLongestTick(async () => {
      read = await parser.parse(raw, options);
    });
    expect(longest).toBeLessThan(MAX_BLOCKED_MS);
    expect(read).toEqual(await readMail(raw, options, () => 0));
  });

  test("small mail is read in a worker once one is ready, if this thread is busy", async () => {
    const busy = createMailParser({ busy: () => true });
    const raw = lines("From: ada@example.com", "Subject: Hi", "", "x");
    const here = await busy.parse(raw, options);
    await vi.waitUntil(() => busy.workers.read(raw, options) !== undefined, { timeout: 60_000 });
    expect(await busy.parse(raw, options)).toEqual(here);
    await busy.close();
  });

  test("small mail is read here if this thread has time", async () => {
    const idle = createMailParser({ busy: () => false });
    expect(idle.workers.read(lines("Subject: Hi", "", "x"), options)).toBeUndefined();
    await idle.close();
  });

  test.each([
    ["many parts", lines("Content-Type: multipart/mixed; boundary=b", "", "--b\r\n\r\nx\r\n".repeat(20_000))],
    ["a large body", lines("Subject: x", "", "Grüße\r\n".repeat(400_000))],
  ])("mail with %s is read in a worker, although this thread has time", async (_, raw) => {
    const idle = createMailParser({ busy: () => false });
    const read = idle.workers.read(raw, options);
    expect(read).toBeDefined();
    await Promise.allSettled([read]);
    await idle.close();
  });

  test("failures keep their codes", async () => {
    await expect(parser.parse(new Uint8Array(), options)).rejects.toMatchObject({ code: "mail_unreadable" });
    await expect(
      parser.parse(lines(`Subject: ${"x".repeat(1_100_000)}`, "", "x"), options),
    ).rejects.toMatchObject({
      code: "mail_too_complex",
    });
  });

  test("a message over the deadline has its worker terminated, and the next one is read", async () => {
    const strict = createMailParser({ threads: 1, deadlineMs: 1 });
    const costly = lines(
      "Content-Type: multipart/mixed; boundary=b",
      "",
      ...Array.from({ length: 60_000 }, () => "--b\r\n\r\nx"),
      "--b--",
    );
    // Which code depends on how much CPU time the worker got: the mail's fault, or not.
    await expect(strict.parse(costly, options)).rejects.toMatchObject({
      code: expect.stringMatching(/^(mail_too_complex|storage_unavailable)$/),
    });
    expect(await strict.parse(lines("Subject: Hi", "", "x"), options)).toMatchObject({ subject: "Hi" });
    await strict.close();
  });

  test.each([
    ["one folded header", lines(`Subject: ${"a\r\n ".repeat(60_000)}`, "", "x")],
    [
      "twenty thousand parts",
      lines(
        "Content-Type: multipart/mixed; boundary=b",
        "",
        "--b\r\nContent-Type: image/png\r\n\r\nx\r\n".repeat(20_000),
      ),
    ],
    ["nested mails", lines(nested(3_000))],
    ["a large body", lines("Subject: x", "", "Grüße\r\n".repeat(400_000))],
  ])("%s does not block the event loop", async (_, raw) => {
    // Only starts the worker; part of a message may be rejected.
    await parser.parse(raw.subarray(0, 100_000), options).catch(() => undefined);
    expect(await measureLongestTick(() => parser.parse(raw, options))).toBeLessThan(MAX_BLOCKED_MS);
  });
});

describe("checking senders", () => {
  let key: DkimKey;
  beforeAll(async () => {
    key = await generateDkimKey({ selector: "s1" });
  });
  const lookups: string[] = [];
  const dns: Dns = {
    resolve: (async (name: string) => {
      lookups.push(name);
      if (name === "s1._domainkey.example.com") return [[dkimRecord({ key, domain: "example.com" }).value]];
      throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
    }) as unknown as Dns["resolve"],
  };
  const envelope = { mail_from: "ada@example.com", client_ip: "192.0.2.7", helo: "mx.example.com" };

  test.each([
    ["a long header", lines("From: ada@example.com", `X-Long: ${"a\r\n ".repeat(10_000)}b`, "", "x", "")],
    ["a long body", lines("From: ada@example.com", "", "hello world  \r\n".repeat(200_000))],
  ])(
    "a valid signature over %s passes in a worker, which looks up the key through this thread",
    async (_, raw) => {
      const auth = createSenderAuth({ dns, workers: parser.workers });
      const signed = await signMail({ raw, domain: "example.com", key });
      lookups.length = 0;
      const facts = await auth.check({ raw: signed, envelope });
      expect(facts.dkim).toMatchObject([{ result: "pass", domain: "example.com" }]);
      expect(lookups).toContain("s1._domainkey.example.com");
      expect(await measureLongestTick(() => auth.check({ raw: signed, envelope }))).toBeLessThan(
        MAX_BLOCKED_MS,
      );
    },
  );

  test("an overlong header block is not checked", async () => {
    const auth = createSenderAuth({ dns, workers: parser.workers });
    const raw = lines(
      "From: ada@example.com",
      "DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; h=from; bh=YQ==; b=YQ==",
      `Subject: ${"a\r\n ".repeat(60_000)}`,
      "",
      "x",
    );
    expect((await auth.check({ raw, envelope })).dkim).toMatchObject([{ result: "permerror" }]);
    expect(await measureLongestTick(() => auth.check({ raw, envelope }))).toBeLessThan(MAX_BLOCKED_MS);
  });
});
