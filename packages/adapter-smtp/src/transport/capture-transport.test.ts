import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCaptureTransport } from "./capture-transport.ts";
import { dkimRecord, generateDkimKey } from "./dkim.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "letterslot-capture-"));
});
afterEach(() => rm(directory, { recursive: true }));

const mail = (index: number) => ({
  message_id: `<${index}@example.com>`,
  from: "ada@example.com",
  envelope: { mail_from: "ada@example.com", rcpt_to: ["bo@example.org", "blind@example.org"] },
  raw: Buffer.from(
    `From: ada@example.com\r\nTo: bo@example.org\r\nSubject: Nummer =?utf-8?Q?${index}_=C3=BC?=\r\n\r\nHi\r\n`,
  ),
});

function capture() {
  let minute = 0;
  const now = () => {
    minute += 1;
    return new Date(Date.UTC(2026, 10, 20, 4, minute));
  };
  return createCaptureTransport({ directory: join(directory, "outbox"), now });
}

test("a message is stored byte for byte, readable by the owner only, without its Bcc recipients", async () => {
  const outbox = capture();
  const results = await outbox.send(mail(1));
  expect(results.map(({ recipient, outcome }) => [recipient, outcome])).toEqual([
    ["bo@example.org", "accepted"],
    ["blind@example.org", "accepted"],
  ]);
  const [captured] = await outbox.list();
  expect(captured).toEqual({
    name: expect.stringMatching(/^20261120040100000-[0-9a-f]{16}\.eml$/),
    captured_at: "2026-11-20T04:01:00.000Z",
    message_id: "<1@example.com>",
    from: "ada@example.com",
    to: ["bo@example.org", "blind@example.org"],
    subject: "Nummer 1 ü",
    size: mail(1).raw.length,
  });
  const bytes = await outbox.read(captured?.name ?? "");
  expect(Buffer.from(bytes ?? []).toString()).toBe(mail(1).raw.toString());
  const files = await readdir(join(directory, "outbox"));
  expect(files.filter((name) => !/\.(?:eml|json)$/.test(name))).toEqual([]);
  for (const name of files) expect((await stat(join(directory, "outbox", name))).mode & 0o777).toBe(0o600);
});

test("a message is signed like one that is sent, if its From domain has a key", async () => {
  const key = await generateDkimKey({ selector: "ls1" });
  const dkim = async (domain: string) => (domain === "example.com" ? key : null);
  const outbox = createCaptureTransport({ directory: join(directory, "outbox"), dkim });
  await outbox.send(mail(1));
  await outbox.send({ ...mail(2), from: "ada@other.example" });
  const bytes = await Promise.all((await outbox.list()).map(({ name }) => outbox.read(name)));
  const [unsigned, signed] = bytes.map((each) => Buffer.from(each ?? []));
  const resolver = async () => [[dkimRecord({ key, domain: "example.com" }).value]];
  const { results } = await dkimVerify(signed ?? "", { resolver, strict: true });
  expect(results).toMatchObject([
    { signingDomain: "example.com", selector: "ls1", status: { result: "pass" } },
  ]);
  expect(signed?.toString()).toMatch(/^DKIM-Signature: /);
  expect(signed?.toString().endsWith(mail(1).raw.toString())).toBe(true);
  expect(unsigned?.toString()).toBe(mail(2).raw.toString());
});

test("the list is newest first and paginated", async () => {
  const outbox = capture();
  for (const index of [1, 2, 3]) await outbox.send(mail(index));
  const page = await outbox.list({ limit: 2 });
  expect(page.map(({ subject }) => subject)).toEqual(["Nummer 3 ü", "Nummer 2 ü"]);
  const rest = await outbox.list({ limit: 2, before: page.at(-1)?.name ?? "" });
  expect(rest.map(({ subject }) => subject)).toEqual(["Nummer 1 ü"]);
});

test("an outbox that does not exist yet is empty", async () => {
  expect(await capture().list()).toEqual([]);
});

test.each([
  "../secret.eml",
  "..%2fsecret.eml",
  "/etc/passwd",
  "secret.eml",
  "20261120040100000-0123456789abcdef.eml/../../secret.eml",
  "",
  "20261120040100000-0123456789abcdef.json",
])("%j matches no message", async (name) => {
  const outbox = capture();
  await outbox.send(mail(1));
  await writeFile(join(directory, "secret.eml"), "secret");
  expect(await outbox.read(name)).toBeUndefined();
});

test("concurrent sends are all stored", async () => {
  const outbox = capture();
  await Promise.all(Array.from({ length: 30 }, (_, index) => outbox.send(mail(index))));
  expect(await outbox.list({ limit: 100 })).toHaveLength(30);
});
