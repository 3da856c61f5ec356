import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test } from "vitest";
import {
  type FakeTwilio,
  type Moment,
  startFakeTwilio,
} from "../packages/adapter-twilio/testing/fake-twilio.ts";
import { type Client, createClient, whole } from "../packages/client/src/index.ts";
import { casesOf } from "./support/case-count.ts";
import { createServerHome, type ServerProcess } from "./support/server-process.ts";
import { until } from "./support/until.ts";

const NUMBERS = ["+14155550123", "+14155550124"];
const WANTED = { area_code: "415" };
const DUE_LONG_AGO = "2020-01-01T00:00:00.000Z";

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

interface World {
  twilio: FakeTwilio;
  client: Client;
  inbox_id: string;
  /** Kills the server while Twilio hasn't answered this request, or just has, and starts it again. */
  killedDuring(
    request: Parameters<FakeTwilio["stall"]>[0],
    moment: Moment,
    call: () => Promise<unknown>,
  ): Promise<void>;
  /** Kills the server, and starts it again when every job is due. */
  killedUntilDue(): Promise<void>;
  /** Reads the database while the server runs. */
  stored(): { statuses: string[]; used: number; jobs: number };
}

async function startWorld(): Promise<World> {
  const twilio = await startFakeTwilio();
  running.push(twilio.close);
  twilio.stock(NUMBERS);
  const home = await createServerHome({
    TWILIO_ACCOUNT_SID: twilio.account_sid,
    TWILIO_AUTH_TOKEN: twilio.auth_token,
    TWILIO_API_URL: twilio.url,
  });
  running.push(home.remove);
  const { base_url } = home;
  let server: ServerProcess | undefined;
  const start = async () => {
    server = await home.start({ BASE_URL: base_url });
  };
  const kill = async () => {
    await server?.end("SIGKILL");
  };
  await start();
  running.push(kill);
  const path = join(home.data_dir, "letterslot.db");
  const withDatabase = <T>(use: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(path);
    try {
      return use(database);
    } finally {
      database.close();
    }
  };
  const { api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({ username: "ada" });
  return {
    twilio,
    client: createClient({ baseUrl: base_url, apiKey: api_key, retries: 0 }),
    inbox_id: inbox.id,
    async killedDuring(request, moment, call) {
      const reached = twilio.stall(request, moment);
      // The server dies before it answers.
      const asked = call().catch(() => undefined);
      await reached;
      await kill();
      await asked;
      twilio.hangUp();
      await start();
    },
    async killedUntilDue() {
      await kill();
      withDatabase((database) => database.prepare("update jobs set due_at = ?").run(DUE_LONG_AGO));
      await start();
    },
    stored: () =>
      withDatabase((database) => {
        const all = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[];
        return {
          statuses: all("select status from phone_numbers order by id").map(({ status }) => String(status)),
          used: Number(all("select used from plan_usage where resource = 'phone_numbers'")[0]?.["used"] ?? 0),
          jobs: all("select id from jobs where kind in ('phone.buy', 'phone.release')").length,
        };
      }),
  };
}

/** test/phone-crash.test.ts kills servers that buy; this file kills servers that give up or give back numbers. */
describe("a server that is killed", () => {
  test("before Twilio has sold a number gives the purchase up, and the same request buys anew", async () => {
    const { twilio, client, inbox_id, killedDuring, killedUntilDue, stored } = await startWorld();
    const buy = () => client.phoneNumbers.create({ inbox_id, ...WANTED });
    await killedDuring("buy", "before", buy);
    await expect(buy()).rejects.toMatchObject({ code: "telephony_unavailable" });
    expect(stored()).toEqual({ statuses: ["reserved"], used: 1, jobs: 1 });
    await killedUntilDue();
    await until("the purchase to be given up", () => stored().statuses.length === 0);
    expect(stored().used).toBe(0);
    await killedUntilDue();
    await until("the last look", () => stored().jobs === 0);
    const number = whole(await buy());
    expect(twilio.numbers.map(({ phone_number }) => phone_number)).toEqual([number.e164]);
    expect(stored()).toEqual({ statuses: ["active"], used: 1, jobs: 0 });
  });

  test.for(casesOf(["after"] as const, ["before", "after"] as const))(
    "%s Twilio has taken a number back, gives it back",
    async (moment) => {
      const { twilio, client, inbox_id, killedDuring, killedUntilDue, stored } = await startWorld();
      await client.phoneNumbers.create({ inbox_id, ...WANTED });
      await killedDuring("release", moment, () => client.phoneNumbers.delete({ inbox_id }));
      await killedUntilDue();
      await until("Twilio to take it", () => stored().jobs === 0);
      expect(twilio.numbers).toEqual([]);
      expect(stored()).toEqual({ statuses: ["released"], used: 0, jobs: 0 });
      await expect(client.phoneNumbers.get({ inbox_id })).rejects.toMatchObject({
        code: "phone_number_missing",
      });
    },
  );
});
