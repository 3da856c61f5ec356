import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runPiped } from "../../packages/cli/test/run-cli.ts";
import { startLetterslot } from "../../packages/cli/test/run-process.ts";
import { startInTerminal } from "../../packages/cli/test/run-terminal.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { until } from "../support/until.ts";

let folder: string;
let server: Served;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-import-"));
  server = await serve();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function signUp() {
  const { api_key, inbox } = await server.client().accounts.onboard({ username: "ada" });
  const env = { HOME: folder, LETTERSLOT_URL: server.base_url, LETTERSLOT_API_KEY: api_key };
  const client = server.client(api_key);
  const subjects = async () => {
    const all: string[] = [];
    for await (const { subject } of client.messages.list({ inbox_id: inbox.id, order: "asc" }))
      all.push(subject);
    return all;
  };
  return { client, env, inbox_id: inbox.id, subjects };
}

const mail = (subject: string, text = `This is ${subject}.`) =>
  [
    "From: Olga <olga@owner.example>",
    "To: old@elsewhere.example",
    `Subject: ${subject}`,
    `Message-ID: <${subject}@elsewhere.example>`,
    "Date: Tue, 3 Mar 2020 10:00:00 +0000",
    "",
    text,
    "",
  ].join("\n");
const boxed = (subjects: readonly string[]) =>
  subjects.map((subject) => `From olga@owner.example Tue Mar  3 10:00:00 2020\n${mail(subject)}\n`).join("");

function write(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
}

describe("letterslot import", () => {
  test("takes mbox files, Maildirs and .eml files of folders in folders, and nothing else", async () => {
    const { env, subjects, client, inbox_id } = await signUp();
    write("old/a.mbox", boxed(["a1", "a2"]));
    write("old/b/c.eml", mail("c"));
    write("old/maildir/cur/1.host:2,S", mail("d"));
    write("old/maildir/new/2.host", mail("e"));
    write("old/maildir/tmp/3.host", mail("half"));
    write("old/maildir/.Sent/cur/4.host:2,S", mail("f"));
    write("old/maildir/.Sent/new/.keep", "");
    write("old/notes.txt", "no mail");
    const alone = write("alone", mail("g"));
    const ended = await runPiped(["import", join(folder, "old"), alone], { env });
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.json()).toEqual([{ object: "import", inbox_id, imported: 7, already_there: 0, refused: 0 }]);
    expect((await subjects()).toSorted()).toEqual(["a1", "a2", "c", "d", "e", "f", "g"]);
    const [first] = (await client.messages.list({ inbox_id })).data;
    expect(first).toMatchObject({
      labels: ["received", "read", "injected", "imported", "untrusted"],
      from: "olga@owner.example",
    });
    expect((await client.tasks.list({ status: "all" })).data).toEqual([]);
  });

  test("stores nothing twice when it is run again, also from another form of the mailbox", async () => {
    const { env, inbox_id } = await signUp();
    const names = Array.from({ length: 9 }, (_, index) => `m${index}`);
    const box = write("box.mbox", boxed(names));
    await runPiped(["import", box], { env });
    for (const name of names) write(`mails/${name}.eml`, mail(name).replaceAll("\n", "\r\n"));
    const counts = { object: "import", inbox_id, imported: 0, already_there: 9, refused: 0 };
    for (const path of [box, join(folder, "mails")])
      expect((await runPiped(["import", path], { env })).json()).toEqual([counts]);
  });

  test("goes on after it was killed", async () => {
    const { env, subjects } = await signUp();
    const names = Array.from({ length: 60 }, (_, index) => `mail${index}`);
    const box = write("box.mbox", boxed(names));
    const run = startLetterslot(["import", box], env);
    await until("some mail", async () => (await subjects()).length > 5);
    run.kill("SIGKILL");
    await run.ended;
    const there = (await subjects()).length;
    const again = await startLetterslot(["import", box], env).ended;
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ imported: 60 - there, already_there: there });
    expect((await subjects()).toSorted()).toEqual(names.toSorted());
  });

  test("says which mail was refused, and imports the others", async () => {
    const { client, env, inbox_id, subjects } = await signUp();
    await client.lists.create({ direction: "receive", type: "block", entry: "olga@owner.example" });
    const box = write(
      "box.mbox",
      `${boxed(["one"])}${boxed(["two"]).replace("olga@owner.example>", "bo@x.example>")}`,
    );
    const ended = await runPiped(["import", box], { env });
    expect(ended.code).toBe(1);
    expect(ended.json()).toEqual([{ object: "import", inbox_id, imported: 1, already_there: 0, refused: 1 }]);
    expect(ended.err).toBe(`${box}:1: not imported (sender_blocked)\n`);
    expect(await subjects()).toEqual(["two"]);
  });

  test("shows people how far it is", async () => {
    const { env } = await signUp();
    const box = write("box.mbox", boxed(Array.from({ length: 60 }, (_, index) => `mail${index}`)));
    const run = startInTerminal(["import", box], { env });
    expect(await run.ended).toBe(0);
    expect(run.shown()).toMatch(/Importing, MB:.*█/);
    expect(run.shown()).toContain("Imported 60 mails.");
  });

  test("refuses what is no mailbox, and a key that may not", async () => {
    const { client, env, inbox_id } = await signUp();
    mkdirSync(join(folder, "empty"));
    expect(await runPiped(["import", join(folder, "empty")], { env })).toMatchObject({ code: 2 });
    expect(await runPiped(["import", join(folder, "nowhere")], { env })).toMatchObject({ code: 1 });
    expect(await runPiped(["import"], { env })).toMatchObject({ code: 2 });
    const { api_key } = await client.keys.create({ permissions: ["inbox_read", "message_read"], inbox_id });
    const weak = { ...env, LETTERSLOT_API_KEY: api_key };
    expect(await runPiped(["import", write("a.eml", mail("a"))], { env: weak })).toMatchObject({
      code: 4,
      out: "",
    });
  });
});

describe("letterslot export", () => {
  test("saves an inbox as mbox, which another one imports without a difference", async () => {
    const { client, env, inbox_id, subjects } = await signUp();
    const names = ["one", "two", "three"];
    const text = "First line\nFrom the start of a line\n>From a quoted one\nlast";
    for (const name of names) write(`in/${name}.eml`, mail(name, text));
    await runPiped(["import", join(folder, "in")], { env });
    const file = join(folder, "ada.mbox");
    const ended = await runPiped(["export", "--inbox", "ada", "-o", file], { env });
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.json()).toEqual([{ object: "export", file, mails: 3, left_out: 0 }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const other = await client.inboxes.create({ username: "bea" });
    await runPiped(["import", file, "--inbox", "bea"], { env });
    const rawsOf = async (id: string) => {
      const { data } = await client.messages.list({ inbox_id: id });
      const raws = data.map(async (message) =>
        Buffer.from((await client.messages.raw({ inbox_id: id, message_id: message.id })).bytes).toString(),
      );
      return (await Promise.all(raws)).toSorted();
    };
    expect(await rawsOf(other.id)).toEqual(await rawsOf(inbox_id));
    expect((await subjects()).toSorted()).toEqual(names.toSorted());
  });

  test("saves the account as a zip, and replaces no file unasked", async () => {
    const { env } = await signUp();
    const file = join(folder, "account.zip");
    const making = startLetterslot(["export", "-o", file], env);
    const working = setInterval(() => void server.work(), 100);
    const ended = await making.ended;
    clearInterval(working);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(file).subarray(0, 2).toString()).toBe("PK");
    expect(await runPiped(["export", "-o", file], { env })).toMatchObject({ code: 2 });
    cpSync(file, join(folder, "copy.zip"));
    const failed = await runPiped(["export", "--inbox", "nobody", "-o", join(folder, "x.mbox")], { env });
    expect(failed.code).toBe(3);
    expect(readdirSync(folder).filter((name) => name.startsWith("x.mbox"))).toEqual([]);
  });
});
