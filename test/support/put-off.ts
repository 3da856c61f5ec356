import { createClient } from "@letterslot/client";
import { expect } from "vitest";
import { compose } from "./mail-domain.ts";
import { seeded } from "./seeded.ts";
import type { ServerHome } from "./server-process.ts";
import { sendBySmtp } from "./smtp.ts";
import { until } from "./until.ts";
import { callOverWire, type WireAnswer } from "./wire-call.ts";

/** A client that sends mail and drafts to a server, and records the accepted ones. */
export interface Writer {
  /** Sends a new mail and returns the status, or null if the connection broke. */
  mail(kilobytes?: number): Promise<number | null>;
  /** Creates a draft. */
  post(): Promise<WireAnswer>;
  /** Expects lists and health checks to work. */
  read(): Promise<void>;
  /** Waits until mail and drafts are deferred, and expects that to continue while reads work. */
  expectDeferred(): Promise<void>;
  /** Waits until a mail and a draft are accepted again. */
  expectAccepted(): Promise<void>;
  /**
   * Expects the server to have exactly the accepted mail, once and readable, and no refused mail. A server that was
   * killed while refusing may have that too; its sender retries.
   */
  expectStored(options?: { refused: "absent" | "possible" }): Promise<void>;
}

const ATTEMPTS = 8;
const TIMEOUT_MS = 60_000;
const random = seeded(1);

/** Incompressible text, so that every letter takes space. */
function text(kilobytes: number): string {
  const word = () => Math.floor(random() * 26 ** 7).toString(36);
  return Array.from({ length: kilobytes * 16 }, () => Array.from({ length: 9 }, word).join(" ")).join("\n");
}

/** Signs up at a server. */
export async function createWriter(home: ServerHome): Promise<Writer> {
  const { base_url, smtp_port } = home;
  const { api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({ username: "ada" });
  const client = createClient({ baseUrl: base_url, apiKey: api_key, retries: 0 });
  const inbox_id = inbox.id;
  const headers = { authorization: `Bearer ${api_key}` };
  let mails = 0;
  const accepted: string[] = [];
  const answered: string[] = [];

  const mail = async (kilobytes = 100): Promise<number | null> => {
    const message_id = `<mail-${++mails}@family.example.com>`;
    const from = "mara@family.example.com";
    const raw = await compose({ from, to: inbox.email, subject: "Room", text: text(kilobytes), message_id });
    const status = await sendBySmtp(smtp_port, { raw, from, to: inbox.email });
    if (status === 250) accepted.push(message_id);
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
    async expectDeferred() {
      // Space that is already allocated can still be used.
      const refused = await until(
        "mail to be deferred",
        async () => {
          const status = await mail();
          expect([250, 451, 452]).toContain(status);
          return status !== 250 && status;
        },
        TIMEOUT_MS,
      );
      expect(refused).toBe(451);
      const unavailable = await until(
        "a call to be deferred",
        async () => {
          const answer = await post();
          expect([200, 503], answer.text).toContain(answer.status);
          return answer.status === 503 && answer;
        },
        TIMEOUT_MS,
      );
      expect(unavailable).toMatchObject({ code: "storage_unavailable" });
      expect(Number(unavailable.headers.get("retry-after"))).toBeGreaterThan(0);
      for (let again = 0; again < ATTEMPTS; again++) {
        expect([250, 451, 452]).toContain(await mail());
        expect([200, 503]).toContain((await post()).status);
        await read();
      }
    },
    async expectAccepted() {
      await until("mail to be accepted", async () => (await mail()) === 250, TIMEOUT_MS);
      await until("a call to be answered", async () => (await post()).status === 200, TIMEOUT_MS);
    },
    async expectStored({ refused } = { refused: "absent" }) {
      const stored: string[] = [];
      for await (const { id, message_id } of client.messages.list({ inbox_id, direction: "inbound" })) {
        expect((await client.messages.raw({ inbox_id, message_id: id })).bytes.byteLength).toBeGreaterThan(0);
        stored.push(message_id ?? "");
      }
      const drafts: string[] = [];
      for await (const { id } of client.drafts.list({ inbox_id })) drafts.push(id);
      const counted = (names: string[], all: string[]) =>
        refused === "absent" ? names : names.filter((name) => all.includes(name));
      expect(counted(stored, accepted).toSorted()).toEqual(accepted.toSorted());
      expect(counted(drafts, answered).toSorted()).toEqual(answered.toSorted());
    },
  };
}
