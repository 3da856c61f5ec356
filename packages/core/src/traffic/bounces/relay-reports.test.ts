import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import type { RelayReport } from "../../model/relay-reports.ts";
import { findingOfRelay } from "./rules.ts";

const ada = "ada@example.com";
const bo = "bo@example.org";
const hour = 3600_000;

let service: TestService;
let account: TestAccount;
let sent: { id: string; message_id: string };

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
  service.transport.relayAs("0100018f");
  sent = await send([ada, bo]);
});

const inbox = () => ({ inbox_id: account.inbox.id });
async function send(to: string[]) {
  const { id } = await account.as.messages.send({ ...inbox(), to, text: "Hello." });
  await service.work();
  const { message_id } = await account.as.messages.get({ ...inbox(), message_id: id });
  return { id, message_id: message_id ?? "" };
}
const now = () => service.clock.now().toISOString();
const reportOf = (change: Partial<RelayReport> = {}): RelayReport => ({
  ...{ provider_id: "0100018f", recipient: ada, type: "bounced", permanent: true, detail: "550 gone" },
  at: now(),
  ...change,
});
const take = (...reports: RelayReport[]) => service.letterslot.takeRelayReports(reports);
const suppressions = async () => (await account.as.suppressions.list({})).data.map(({ address }) => address);
const eventsOf = async (type: string) =>
  (await account.as.messages.get({ ...inbox(), message_id: sent.id })).delivery_events.filter(
    (event) => event.type === type,
  );

describe("a relay's report", () => {
  test("of a bounce suppresses the address, by the relay's id or the Message-ID, once", async () => {
    expect(await take(reportOf())).toEqual({ accepted: 1, repeated: 0, ignored: 0 });
    expect(await suppressions()).toEqual([ada]);
    const by_message_id = { provider_id: undefined, message_id: sent.message_id };
    expect(await take(reportOf(), reportOf(by_message_id))).toEqual({ accepted: 0, repeated: 2, ignored: 0 });
    const bare = {
      provider_id: undefined,
      message_id: sent.message_id.slice(1, -1),
      recipient: bo.toUpperCase(),
    };
    expect(await take(reportOf(bare))).toEqual({ accepted: 1, repeated: 0, ignored: 0 });
    expect((await suppressions()).toSorted()).toEqual([ada, bo]);
    expect((await account.as.events.list({ types: ["message.bounced"] })).data).toHaveLength(2);
    expect((await account.as.metrics.rates({})).bounced).toBe(2);
  });

  test("of a bounce for good suppresses the address also after one of a bounce that passes", async () => {
    expect(await take(reportOf({ permanent: false }))).toMatchObject({ accepted: 1 });
    expect(await suppressions()).toEqual([]);
    expect(await take(reportOf())).toMatchObject({ accepted: 1 });
    expect(await suppressions()).toEqual([ada]);
    expect((await eventsOf("bounced")).map(({ bounce_type }) => bounce_type)).toEqual(["soft", "hard"]);
    expect(await take(reportOf({ permanent: false }), reportOf())).toMatchObject({ repeated: 2 });
    expect((await account.as.metrics.rates({})).bounced).toBe(1);
  });

  test("of a bounce that passes, of a delay and of a delivery suppresses nobody", async () => {
    await take(
      reportOf({ permanent: false }),
      reportOf({ type: "deferred", recipient: bo }),
      reportOf({ type: "delivered", recipient: bo }),
    );
    expect(await suppressions()).toEqual([]);
    expect((await account.as.events.list({ types: ["message.delivered"] })).data).toHaveLength(1);
    expect(await eventsOf("deferred")).toMatchObject([{ recipient: bo }]);
  });

  test("of a complaint suppresses the address, and only its person lifts it", async () => {
    await take(reportOf({ type: "complained" }));
    expect(await suppressions()).toEqual([ada]);
    await expect(account.as.suppressions.delete({ address: ada })).rejects.toMatchObject({
      code: "suppression_locked",
    });
  });

  test("about mail, a recipient or a time that can't be is ignored", async () => {
    const other = await service.signUp("other");
    const { id } = await other.as.messages.inject({ inbox_id: other.inbox.id, from: ada, text: "x" });
    const at = (ms: number) => new Date(service.clock.now().getTime() + ms).toISOString();
    const ignored = [
      reportOf({ provider_id: "another" }),
      reportOf({ provider_id: undefined, message_id: "<nobody@example.com>" }),
      reportOf({ provider_id: undefined, message_id: `<${id.slice("msg_".length)}@letterslot.localhost>` }),
      reportOf({ provider_id: undefined, message_id: sent.message_id.replace("@", "@evil.") }),
      reportOf({ recipient: "eve@example.net" }),
      reportOf({ at: at(-hour) }),
      reportOf({ at: at(hour) }),
    ];
    expect(await take(...ignored)).toEqual({ accepted: 0, repeated: 0, ignored: ignored.length });
    expect(await suppressions()).toEqual([]);
  });

  test("by an id that two mails have says nothing of either", async () => {
    await send([ada]);
    expect(await take(reportOf())).toMatchObject({ ignored: 1 });
  });

  test("never suppresses somebody in charge", async () => {
    const { account_id } = account;
    await service.letterslot.operator.accounts.authority.give({ account_id, email: ada });
    expect(await take(reportOf())).toMatchObject({ accepted: 1 });
    expect(await suppressions()).toEqual([]);
  });

  test("finds mail for 90 days", async () => {
    await service.clock.advance(91 * 24 * hour);
    await service.letterslot.sweep();
    expect(await take(reportOf())).toMatchObject({ ignored: 1 });
  });
});

test("what the recipient's own mail host takes is delivered", async () => {
  service.transport.takenByHost(bo);
  sent = await send([bo]);
  expect(await eventsOf("delivered")).toMatchObject([{ recipient: bo }]);
  expect((await account.as.events.list({ types: ["message.delivered"] })).data).toHaveLength(1);
});

test.each([
  [{ type: "bounced", permanent: true }, "hard"],
  [{ type: "bounced", permanent: false }, "soft"],
  [{ type: "complained", permanent: true }, "abuse"],
  [{ type: "deferred", permanent: true }, null],
  [{ type: "delivered", permanent: true }, null],
] as const)("%j has the kind %j", (said, kind) => {
  const message = { to: [ada], cc: [], bcc: [bo], created_at: "2026-01-01T00:00:00.000Z" };
  const report = { ...said, recipient: "ADA@example.com", detail: "", at: "2026-01-01T00:00:01.000Z" };
  const found = findingOfRelay(message, report, new Date("2026-01-01T00:00:02.000Z"));
  expect(found).toEqual({ type: said.type, recipient: ada, kind, detail: "" });
});

test.each([
  ["2025-12-31T23:54:59.999Z", false],
  ["2025-12-31T23:55:00.000Z", true],
  ["2026-01-01T01:05:00.000Z", true],
  ["2026-01-01T01:05:00.001Z", false],
])("of a mail of 0:00, a report at 1:00 of something at %s can be: %s", (at, possible) => {
  const message = { to: [ada], cc: [], bcc: [], created_at: "2026-01-01T00:00:00.000Z" };
  const report = { type: "delivered", permanent: true, recipient: ada, detail: "", at } as const;
  expect(findingOfRelay(message, report, new Date("2026-01-01T01:00:00.000Z")) !== undefined).toBe(possible);
});
