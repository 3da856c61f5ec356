import { describe, expect, test } from "vitest";
import { createTestService } from "../../testing/index.ts";
import { LIMITS } from "../catalogue/limits.ts";
import type { AccountCaller } from "./access/caller.ts";
import { createWaitingPlaces } from "./waiting-places.ts";

const key = (id: string, account_id = "acct_1") =>
  ({ type: "key", account_id, key: { id } }) as AccountCaller;
const session = (session_id: string) =>
  ({ type: "owner", account_id: "acct_1", session_id }) as AccountCaller;

/** A minute from the time 0. */
const UNTIL = 60_000;
const refusal = expect.objectContaining({ code: "rate_limited", retry_after_seconds: 1 });

const open = () => {
  const places = createWaitingPlaces();
  const take = (caller: AccountCaller, kind: "mail" | "stream" = "stream", now = 0, root_id?: string) =>
    places.take({ caller, root_id: root_id ?? caller.account_id }, kind, now, UNTIL);
  const fill = (caller: AccountCaller, count: number, kind: "mail" | "stream" = "stream") =>
    Array.from({ length: count }, () => take(caller, kind));
  return { take, fill };
};

describe("places of streams and polls", () => {
  test("are 25 for a key, and free again when left", () => {
    const { take, fill } = open();
    const [leave] = fill(key("key_1"), LIMITS.concurrent_streams_per_key);
    expect(() => take(key("key_1"))).toThrow(refusal);
    expect(() => take(key("key_2"))).not.toThrow();
    leave?.();
    leave?.();
    expect(() => take(key("key_1"))).not.toThrow();
    expect(() => take(key("key_1"))).toThrow(refusal);
  });

  test("are 200 for an account's keys together; another account's are its own", () => {
    const { take, fill } = open();
    for (let number = 0; number < 8; number++) fill(key(`key_${number}`), LIMITS.concurrent_streams_per_key);
    expect(() => take(key("key_9"))).toThrow(refusal);
    expect(() => take(key("key_9", "acct_2"))).not.toThrow();
  });

  test("of an account's workspaces are its own", () => {
    const { take } = open();
    for (let number = 0; number < 200; number++)
      take(key(`key_${number}`, `acct_${number}`), "stream", 0, "acct_root");
    expect(() => take(key("key_x", "acct_x"), "stream", 0, "acct_root")).toThrow(refusal);
    expect(() => take(key("key_x", "acct_root"))).toThrow(refusal);
    expect(() => take(key("key_x", "acct_x"))).not.toThrow();
  });

  test("are 10 for an owner's session, whatever the keys have", () => {
    const { take, fill } = open();
    for (let number = 0; number < 8; number++) fill(key(`key_${number}`), LIMITS.concurrent_streams_per_key);
    fill(session("ses_1"), LIMITS.concurrent_streams_per_session);
    expect(() => take(session("ses_1"))).toThrow(refusal);
    expect(() => take(session("ses_2"))).not.toThrow();
  });

  test("are 10,000 for a process, with the waits for mail", () => {
    const { take, fill } = open();
    for (let number = 0; number < LIMITS.concurrent_waits / 100; number++)
      fill(key(`key_${number}`, `acct_${number}`), 100, "mail");
    expect(() => take(key("key_x", "acct_x"), "mail")).toThrow(refusal);
    expect(() => take(key("key_x", "acct_x"))).toThrow(refusal);
  });

  test("that nobody left are free again after their time", () => {
    const { take, fill } = open();
    fill(key("key_1"), LIMITS.concurrent_streams_per_key);
    expect(() => take(key("key_1"), "stream", UNTIL - 1)).toThrow(refusal);
    expect(() => take(key("key_1"), "stream", UNTIL)).not.toThrow();
  });
});

test("a workspace's key waits in the places of the account that the workspace belongs to", async () => {
  const service = createTestService();
  const { as, account_id } = await service.signUp();
  const { api_key = "" } = await as.workspaces.create({ name: "Team", inbox_quota: 1 });
  const within = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
  const { waitingPlaces, clock } = service.letterslot.services;
  const now = clock.now().getTime();
  const others = Array.from({ length: 200 }, (_, number) =>
    waitingPlaces.take(
      { caller: key(`key_${number}`, account_id), root_id: account_id },
      "stream",
      now,
      now + UNTIL,
    ),
  );
  await expect(within.events.list({ wait: 5 })).rejects.toMatchObject({ code: "rate_limited" });
  others[0]?.();
  const waited = within.events.list({ wait: 5, after: "9999-12-31T23:59:59Z" });
  await service.clock.advance(5_000);
  expect((await waited).data).toEqual([]);
});
