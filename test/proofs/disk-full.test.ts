import { createClient } from "@letterslot/client";
import { afterEach, describe, expect, test } from "vitest";
import { canLimit, canMount, fileSizeLimit, smallDisk } from "../support/full-disk.ts";
import { compose } from "../support/mail-domain.ts";
import { serverHome } from "../support/server-process.ts";
import { sendBySmtp } from "../support/smtp.ts";
import { until } from "../support/until.ts";
import { callOverWire } from "../support/wire-call.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const kilobytes = (count: number) => "A line of a letter that is as long as others are.\n".repeat(count * 20);

/** A small disk takes the right to mount, a limit the program prlimit: what this machine has is used, and it must have one. */
const ways = [
  { name: "a small disk", disk: smallDisk, possible: canMount },
  { name: "a limit on the size of files", disk: fileSizeLimit, possible: canLimit },
].filter(({ possible }) => possible);

test("this machine has a way to run out of room: run as root on Linux, or install util-linux", () => {
  expect(ways).not.toEqual([]);
});

describe.each(ways)("a server that runs out of room by $name", ({ disk: make }) => {
  test("asks for mail again, answers 503, goes on reading, loses nothing and recovers by itself", {
    timeout: 180_000,
  }, async () => {
    const disk = make();
    closing.push(() => disk.remove());
    const home = await serverHome(disk.folder === undefined ? {} : { DATA_DIR: disk.folder });
    closing.push(() => home.remove());
    const server = await home.start();
    closing.push(() => server.end("SIGKILL"));
    const { api_key, inbox } = await createClient({ base_url: home.base_url }).accounts.onboard({ username: "ada" });
    const client = createClient({ base_url: home.base_url, api_key, retries: 0 });
    const inbox_id = inbox.id;
    const headers = { authorization: `Bearer ${api_key}` };
    const taken: string[] = [];
    const answered: string[] = [];
    let mails = 0;

    const mail = async (): Promise<number | null> => {
      const message_id = `<mail-${++mails}@family.example.com>`;
      const from = "mara@family.example.com";
      const raw = await compose({ from, to: inbox.email, subject: "Room", text: kilobytes(100), message_id });
      const status = await sendBySmtp(home.smtp_port, { raw, from, to: inbox.email });
      if (status === 250) taken.push(message_id);
      return status;
    };
    const post = async () => {
      const answer = await callOverWire(
        home,
        "drafts.create",
        { inbox_id, to: ["bo@example.org"], text: kilobytes(50) },
        headers,
      );
      if (answer.status < 300) answered.push(String(answer.json?.["id"]));
      return answer;
    };

    expect(await mail()).toBe(250);
    expect((await post()).status).toBe(200);
    disk.fill(server);
    // What the files have room for already may be written still.
    const refused = await until("mail to be put off", async () => {
      const status = await mail();
      expect([250, 451, 452]).toContain(status);
      return status !== 250 && status;
    });
    expect(refused).toBe(451);
    const unavailable = await until("a call to be put off", async () => {
      const answer = await post();
      expect([200, 503], answer.text).toContain(answer.status);
      return answer.status === 503 && answer;
    });
    expect(unavailable).toMatchObject({ code: "storage_unavailable" });
    expect(Number(unavailable.headers.get("retry-after"))).toBeGreaterThan(0);
    for (let again = 0; again < 10; again++) {
      expect([250, 451, 452]).toContain(await mail());
      expect([200, 503]).toContain((await post()).status);
      expect((await client.messages.list({ inbox_id })).data.length).toBeGreaterThan(0);
      expect((await fetch(`${home.base_url}/healthz`)).status).toBe(200);
    }

    disk.free(server);
    await until("mail to be taken again", async () => (await mail()) === 250, 30_000);
    expect((await post()).status).toBe(200);
    const stored: string[] = [];
    for await (const message of client.messages.list({ inbox_id, direction: "inbound" })) stored.push(message.message_id ?? "");
    expect(stored.toSorted()).toEqual(taken.toSorted());
    const drafts: string[] = [];
    for await (const draft of client.drafts.list({ inbox_id })) drafts.push(draft.id);
    expect(drafts.toSorted()).toEqual(answered.toSorted());
    expect(await server.end("SIGTERM")).toBe(0);
  });
});
