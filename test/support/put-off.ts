import { createClient } from "@letterslot/client";
import { expect } from "vitest";
import { compose } from "./mail-domain.ts";
import { seeded } from "./seeded.ts";
import type { ServerHome } from "./server-process.ts";
import { sendBySmtp } from "./smtp.ts";
import { until } from "./until.ts";
import { callOverWire, type WireAnswer } from "./wire-call.ts";

/** Somebody who gives a server mail and drafts, and remembers what it took. */
export interface Writer {
  /** Sends a new mail; answers the status, null when the connection broke. */
  mail(kilobytes?: number): Promise<number | null>;
  /** Makes a new draft. */
  post(): Promise<WireAnswer>;
  /** Sees that lists and probes answer. */
  read(): Promise<void>;
  /** Waits until mail and drafts are put off, and sees that this goes on while reads do. */
  expectPutOff(): Promise<void>;
  /** Waits until a mail and a draft are taken again. */
  expectTaken(): Promise<void>;
  /**
   * Compares what the server has with what it took: all of that, once and readable, and nothing that it
   * refused. A server that was killed while it refused may have that too; whoever sent it tries again.
   */
  expectKept(options?: { refused: "absent" | "possible" }): Promise<void>;
}

const tries = 8;
const withinMs = 60_000;
const random = seeded(1);

/** Words that no database can make smaller: each letter needs its room. */
function text(kilobytes: number): string {
  const word = () => Math.floor(random() * 26 ** 7).toString(36);
  return Array.from({ length: kilobytes * 16 }, () => Array.from({ length: 9 }, word).join(" ")).join("\n");
}

/** Signs up at a server. */
export async function newWriter(home: ServerHome): Promise<Writer> {
  const { base_url, smtp_port } = home;
  const { api_key, inbox } = await createClient({ base_url }).accounts.onboard({ username: "ada" });
  const client = createClient({ base_url, api_key, retries: 0 });
  const inbox_id = inbox.id;
  const headers = { authorization: `Bearer ${api_key}` };
  let mails = 0;
  const taken: string[] = [];
  const answered: string[] = [];

  const mail = async (kilobytes = 100): Promise<number | null> => {
    const message_id = `<mail-${++mails}@family.example.com>`;
    const from = "mara@family.example.com";
    const raw = await compose({ from, to: inbox.email, subject: "Room", text: text(kilobytes), message_id });
    const status = await sendBySmtp(smtp_port, { raw, from, to: inbox.email });
    if (status === 250) taken.push(message_id);
    return status;
  };
  const post = async () => {
    const draft = { inbox_id, to: ["bo@example.org"], text: text(50) };
    const answer = await callOverWire(home, "drafts.create", draft, headers);
    if (answer.status < 300) answered.push(String(answer.json?.["id"]));
    return answer;
  };
  const read = async () => {
    expect((await client.messages.list({ inbox_id })).data.length).toBeGreaterThan(0);
    expect((await fetch(`${base_url}/healthz`)).status).toBe(200);
  };

  return {
    mail,
    post,
    read,
    async expectPutOff() {
      // What there is room for already may be written still.
      const refused = await until(
        "mail to be put off",
        async () => {
          const status = await mail();
          expect([250, 451, 452]).toContain(status);
          return status !== 250 && status;
        },
        withinMs,
      );
      expect(refused).toBe(451);
      const unavailable = await until(
        "a call to be put off",
        async () => {
          const answer = await post();
          expect([200, 503], answer.text).toContain(answer.status);
          return answer.status === 503 && answer;
        },
        withinMs,
      );
      expect(unavailable).toMatchObject({ code: "storage_unavailable" });
      expect(Number(unavailable.headers.get("retry-after"))).toBeGreaterThan(0);
      for (let again = 0; again < tries; again++) {
        expect([250, 451, 452]).toContain(await mail());
        expect([200, 503]).toContain((await post()).status);
        await read();
      }
    },
    async expectTaken() {
      await until("mail to be taken", async () => (await mail()) === 250, withinMs);
      await until("a call to be answered", async () => (await post()).status === 200, withinMs);
    },
    async expectKept({ refused } = { refused: "absent" }) {
      const stored: string[] = [];
      for await (const { id, message_id } of client.messages.list({ inbox_id, direction: "inbound" })) {
        expect((await client.messages.raw({ inbox_id, message_id: id })).bytes.byteLength).toBeGreaterThan(0);
        stored.push(message_id ?? "");
      }
      const drafts: string[] = [];
      for await (const { id } of client.drafts.list({ inbox_id })) drafts.push(id);
      const counted = (names: string[], all: string[]) =>
        refused === "absent" ? names : names.filter((name) => all.includes(name));
      expect(counted(stored, taken).toSorted()).toEqual(taken.toSorted());
      expect(counted(drafts, answered).toSorted()).toEqual(answered.toSorted());
    },
  };
}
