import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Client, whole } from "@letterslot/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type FakeTwilio,
  type Moment,
  startFakeTwilio,
} from "../packages/adapter-twilio/testing/fake-twilio.ts";
import { casesOf } from "./support/case-count.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { type ServerWorld, startServerWorld } from "./support/server-world.ts";
import { until } from "./support/until.ts";

const THEIRS = "+14155550198";
/** In the gate the worst: Twilio has done it, and the server doesn't know. */
const MOMENTS = casesOf<Moment[]>(["after"], ["before", "after", "answered"]);

let twilio: FakeTwilio;
let world: ServerWorld;
let server: ServerProcess;
let client: Client;
let reader: Client;
const environment = (): Record<string, string> => ({
  BASE_URL: world.home.base_url,
  TWILIO_ACCOUNT_SID: twilio.account_sid,
  TWILIO_AUTH_TOKEN: twilio.auth_token,
  TWILIO_API_URL: twilio.url,
});
const start = async () => {
  server = await world.home.start(environment());
};
const kill = async () => {
  expect(await server.end("SIGKILL")).toBe("SIGKILL");
};

beforeAll(async () => {
  twilio = await startFakeTwilio();
  twilio.stock(Array.from({ length: 20 }, (_, index) => `+141555501${String(index).padStart(2, "0")}`));
  world = await startServerWorld();
  await start();
  ({ client, reader } = await world.onboard());
}, 120_000);
afterEach(() => twilio.hangUp());
afterAll(async () => {
  await server?.end("SIGKILL");
  await twilio.close();
  await world.close();
});

const newInbox = async (username: string) => (await client.inboxes.create({ username })).id;
const newNumber = async (username: string) => {
  const inbox_id = await newInbox(username);
  const { e164 } = whole(await client.phoneNumbers.create({ inbox_id, area_code: "415" }));
  return { inbox_id, e164 };
};

/** While the server is down, time passes: all its jobs become due. */
function letTimePass(): void {
  const database = new DatabaseSync(join(world.home.data_dir, "letterslot.db"));
  database.prepare("UPDATE jobs SET due_at = ?").run("2020-01-01T00:00:00.000Z");
  database.close();
}

/** The purchases that Twilio was asked for and did. */
const soldTo = (inbox_number: string) =>
  twilio.numbers.filter(({ phone_number }) => phone_number === inbox_number);
const allSold = () => twilio.numbers.map(({ phone_number }) => phone_number).toSorted();
const allOurs = async () => (await reader.phoneNumbers.list()).data.map(({ e164 }) => e164).toSorted();

describe("a server that is killed as it buys a number", { timeout: 120_000 }, () => {
  test.each(MOMENTS)("%s: asked again, the inbox has one number, and one is paid for", async (moment) => {
    const inbox_id = await newInbox(`again-${moment}`);
    const reached = twilio.stall("buy", moment);
    const lost = client.phoneNumbers.create({ inbox_id, area_code: "415" }).catch((error: unknown) => error);
    await reached;
    await kill();
    await lost;
    if (moment === "before") letTimePass();
    await start();
    const number = await until("the number", async () =>
      // Until the purchase is found out, it is 503.
      reader.phoneNumbers.create({ inbox_id, area_code: "415" }).then(whole, () => undefined),
    );
    expect(soldTo(number.e164)).toHaveLength(1);
    expect(await reader.phoneNumbers.get({ inbox_id })).toMatchObject({ e164: number.e164 });
    expect(allSold()).toEqual(await allOurs());
  });

  test.each(MOMENTS)(
    "%s: asked by nobody, what was bought is the inbox's; else it has none",
    async (moment) => {
      const inbox_id = await newInbox(`alone-${moment}`);
      const before = allSold().length;
      const reached = twilio.stall("buy", moment);
      const lost = client.phoneNumbers
        .create({ inbox_id, area_code: "415" })
        .catch((error: unknown) => error);
      await reached;
      await kill();
      await lost;
      letTimePass();
      await start();
      await until("the purchase to be settled", async () => {
        const [sold, ours] = [allSold(), await allOurs()];
        return sold.length === ours.length && !openJobs().includes("phone.buy");
      });
      expect(allSold()).toEqual(await allOurs());
      expect(allSold()).toHaveLength(moment === "before" ? before : before + 1);
    },
  );

  test("after it was acknowledged: it stays, and asking again buys nothing", async () => {
    const inbox_id = await newInbox("acknowledged");
    const { e164 } = whole(await client.phoneNumbers.create({ inbox_id, area_code: "415" }));
    await kill();
    await start();
    const purchases = twilio.asked.filter(({ request }) => request === "buy").length;
    expect(await reader.phoneNumbers.create({ inbox_id, area_code: "415" })).toMatchObject({ e164 });
    expect(twilio.asked.filter(({ request }) => request === "buy")).toHaveLength(purchases);
  });
});

/** The kinds of jobs that the running server still has. */
function openJobs(): string[] {
  const database = new DatabaseSync(join(world.home.data_dir, "letterslot.db"), { readOnly: true });
  const kinds = database.prepare("SELECT kind FROM jobs").all() as { kind: string }[];
  database.close();
  return kinds.map(({ kind }) => kind);
}

const ended = (inbox_id: string, message_id: string, statuses: readonly string[]) =>
  until("the result", async () => {
    const message = await reader.messages.get({ inbox_id, message_id });
    return statuses.includes(message.status ?? "") && message;
  });

describe("a server that is killed as it sends a text", { timeout: 120_000 }, () => {
  test.each(MOMENTS)("%s: the text is never sent twice, and what isn't known is said", async (moment) => {
    const { inbox_id } = await newNumber(`text-${moment}`);
    const text = `Number ${moment}.`;
    const reached = twilio.stall("send", moment);
    const { id } = await client.messages.sendSms({ inbox_id, to: THEIRS, text });
    await reached;
    await kill();
    await start();
    const message = await ended(inbox_id, id, ["sent", "failed"]);
    const taken = twilio.texts.filter(({ body }) => body === text);
    expect(taken).toHaveLength(moment === "before" ? 0 : 1);
    if (moment !== "answered") expect(message.status).toBe("failed");
    if (message.status === "failed")
      expect(message.delivery_events).toMatchObject([{ type: "possibly_sent" }]);
    expect(openJobs()).not.toContain("sms.send");
  });

  test("as soon as it was accepted: it goes out once, or it is said that it may have", async () => {
    const { inbox_id } = await newNumber("text-accepted");
    const { id } = await client.messages.sendSms({ inbox_id, to: THEIRS, text: "Accepted." });
    await kill();
    await start();
    const { status, delivery_events } = await ended(inbox_id, id, ["sent", "failed"]);
    const taken = twilio.texts.filter(({ body }) => body === "Accepted.").length;
    expect([status, taken, delivery_events[0]?.type]).toSatisfy(
      ([how, count, first]) =>
        (how === "sent" && count === 1) || (how === "failed" && count <= 1 && first === "possibly_sent"),
    );
  });
});

describe("a server that is killed as it places a call", { timeout: 120_000 }, () => {
  test.each(MOMENTS)("%s: nobody is called twice, and what isn't known is said", async (moment) => {
    const { inbox_id, e164 } = await newNumber(`call-${moment}`);
    const reached = twilio.stall("call", moment);
    const { id } = await client.messages.call({ inbox_id, to: THEIRS, say: "Good morning." });
    await reached;
    await kill();
    await start();
    const placed = () => twilio.calls.filter(({ from }) => from === e164);
    await until("the call to be settled", () => !openJobs().includes("call.place"));
    expect(placed()).toHaveLength(moment === "before" ? 0 : 1);
    const message = await reader.messages.get({ inbox_id, message_id: id });
    if (moment !== "answered") expect(message.status).toBe("failed");
    if (message.status === "failed")
      expect(message.delivery_events).toMatchObject([{ type: "possibly_sent" }]);
    else expect(message.status).toBe("queued");
  });

  test("while it rings: its end is told after the restart, once, and stays", async () => {
    const { inbox_id, e164 } = await newNumber("call-rings");
    const { id } = await client.messages.call({ inbox_id, to: THEIRS, say: "Good morning." });
    const call = await until("the call to be placed", () => twilio.calls.find(({ from }) => from === e164));
    await until("it to be noted", () => !openJobs().includes("call.place"));
    expect(await twilio.callStatus(call.sid, "ringing").send()).toMatchObject({ status: 200 });
    await kill();
    const completed = twilio.callStatus(call.sid, "completed", 42);
    await expect(completed.send()).rejects.toThrow("fetch failed");
    await start();
    for (const late of [completed, completed, twilio.callStatus(call.sid, "ringing")])
      expect(await late.send()).toMatchObject({ status: 200 });
    expect(await reader.messages.get({ inbox_id, message_id: id })).toMatchObject({
      status: "completed",
      duration_seconds: 42,
    });
  });
});
