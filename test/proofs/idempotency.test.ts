import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import { type TableName, tables } from "../../packages/core/src/model/tables.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import type { Blobs } from "../../packages/core/src/ports/blobs.ts";
import type { Storage } from "../../packages/core/src/ports/storage.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { caseCount, casesOf, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { copyFurnished, type Furnished } from "../support/furnished-account.ts";
import { createMortalStorage, type MortalStorage } from "../support/mortal-storage.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { type ProofStorageName, proofStorageNames, proofStorages } from "../support/proof-storages.ts";
import { callOverWire, type WireAnswer } from "../support/wire-call.ts";

const CONCURRENCY = casesOf(5, 50);
/** Sequential behaviour can be proved in memory, which is fast. */
const orderedPlaces: readonly ProofStorageName[] =
  proofStorageNames.length === 1 ? ["memory"] : proofStorageNames;
/** The storage calls before which the process dies; all of them in a long run. */
const momentsApart = casesOf(10, caseCount(6, 1));
const DAY_MS = 24 * 3600_000;
const names = Object.keys(routes) as OperationName[];
const honouring = names.filter((name) => (routes[name] as Route).idempotent === true);
type Inputs = Partial<Record<OperationName, Record<string, unknown>>>;
/** Writes that refuse a key: they create nothing, or show a secret once, or go by their client_id. */
const refusing = names.filter((name) => {
  const { method, idempotent } = routes[name] as Route;
  return method === "POST" && idempotent !== true && operationNamed(name).effect === "write";
});
/** The body of another call: each operation's fields besides those that `createInputs` sets. */
const other: Inputs = {
  ...(Object.fromEntries(honouring.map((name) => [name, { text: "Something else." }])) as Inputs),
  "inboxes.create": { display_name: "Another" },
  "inboxes.createBatch": { count: 3 },
  "owners.create": { digest: "daily" },
  "allowlist.create": { address: "another.example.org" },
  "lists.create": { entry: "another.example.org" },
  "lists.createForInbox": { entry: "another.example.org" },
  "suppressions.create": { address: "another@example.org" },
  "webhooks.create": { url: "https://another.receiver.example/hook" },
  "consumers.create": { client_id: "another-reader" },
  "rules.create": { name: "Other" },
  "forwarding.create": { email: "other@family.example.com" },
  "expectations.create": { kind: "link" },
  "workspaces.create": { name: "Another" },
  "domains.create": { domain: "another.example" },
  "phoneNumbers.create": { area_code: "212" },
  "messages.sendSms": { text: "Something else." },
  "messages.call": { say: "Something else." },
};
/** Operations that take no more than the ids of the records they work on. */
const idField: Partial<Record<OperationName, string>> = {
  "drafts.send": "draft_id",
  "webhooks.test": "webhook_id",
  "webhooks.redeliver": "delivery_id",
};
/** One that makes a record, one that sends, and one by the id of its record: the gate compares bodies for all alike. */
const conflicting: OperationName[] = ["inboxes.create", "messages.send", "drafts.send"];
/** Inputs that a new day's call changes, so that it creates a record where the same input finds the first one. */
const anotherDay: Inputs = {
  ...other,
  "inboxes.create": { username: "a-new-day" },
  "owners.create": { email: "a-new-day@family.example.com" },
};
/** Operations that must precede a new day's call before it can create a record: an inbox has one number at a time. */
const beforeAnotherDay: Partial<Record<OperationName, OperationName>> = {
  "phoneNumbers.create": "phoneNumbers.delete",
};
/** Writes that go by a client_id of the caller's; in a path, it is the name of an app. */
/** Called by a person in a session alone, never with a key: test/owner-voice.test.ts races it. */
const IN_SESSION: OperationName[] = ["ownerMessages.create"];
const withClientId = names.filter(
  (name) =>
    "client_id" in operationNamed(name).input.shape &&
    !routes[name].path.includes(":client_id") &&
    !IN_SESSION.includes(name),
);
/** Records that a call leaves besides its effect: its key, and slots and counters that expire. */
const SIDE_TABLES = new Set(["idempotency", "slots", "counters"]);

/** A changed id names no record, and an inbox has one number; the first call decides the answers to the others. */
const REFUSALS = [
  "idempotency_request_in_progress",
  "idempotency_key_conflict",
  "draft_not_found",
  "webhook_not_found",
  "delivery_not_found",
  "phone_number_exists",
];

/** A service with one furnished account, so that every record that is counted is the account's or a mistake. */
interface World {
  served: Served;
  account: Furnished;
  /** A second process on the same storage. */
  beside(): Promise<Served>;
  /** The underlying storage; the process's access to it can be cut. */
  storage: Storage;
  process: MortalStorage;
}
const closing: (() => Promise<void>)[] = [];
const MAX_RECORDS = 10_000;
let moments = 0;

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => console.log(`  ${moments} deaths of a process between two calls of its storage`));

/** A good input of which nothing was made yet: the account's first inbox has a number. */
const inputOf = (name: OperationName, { account, served }: Pick<World, "account" | "served">) => {
  const elsewhere = name === "phoneNumbers.create" ? { inbox_id: account.other_inbox_id } : {};
  return { ...createInputs(account, served)[name], ...elsewhere };
};

async function newWorld(place: ProofStorageName): Promise<World> {
  const { storage, remove } = await proofStorages[place]();
  closing.push(remove);
  const process = createMortalStorage(storage);
  const start = async (config: { blobs?: Blobs } = {}) => {
    const served = await serve({ config: { storage: process.storage, ...config } });
    closing.push(() => served.close());
    return served;
  };
  const served = await start();
  const { blobs } = served.letterslot.services;
  return { served, account: await copyFurnished(served), beside: () => start({ blobs }), storage, process };
}

/** The effect of one call on a storage in memory; the same for each test of a call. */
const effects = new Map<string, Promise<Record<string, number>>>();
function effectOnce(name: OperationName, more: object = {}): Promise<Record<string, number>> {
  const key = `${name} ${JSON.stringify(more)}`;
  const measured = async () => {
    const { served, account, storage } = await newWorld("memory");
    return effectOf(storage, () =>
      callOverWire(
        served,
        name,
        { ...inputOf(name, { account, served }), ...more },
        { authorization: `Bearer ${account.api_key}` },
      ),
    );
  };
  const known = effects.get(key) ?? measured();
  effects.set(key, known);
  return known;
}

/** Counts the records by kind. */
async function counts(storage: Storage): Promise<Map<TableName, number>> {
  const found = new Map<TableName, number>();
  for (const table of Object.keys(tables) as TableName[]) {
    if (SIDE_TABLES.has(table) || !("account_id" in tables[table].record.shape)) continue;
    found.set(table, await storage.count(table, {}, MAX_RECORDS));
  }
  return found;
}

/** Returns the number of records of each kind that the calls add and remove. */
async function effectOf(storage: Storage, calls: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await counts(storage);
  await calls();
  const after = await counts(storage);
  const differences = [...after].map(([table, count]) => [table, count - (before.get(table) ?? 0)] as const);
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0));
}

const isReplay = ({ json }: WireAnswer): boolean => json?.["idempotent"] === true;
/** The id of the created record; a reply to a task returns the message beside the task. */
const madeId = ({ json }: WireAnswer): unknown =>
  json?.["id"] ?? (json?.["message"] as { id: string } | undefined)?.id;
const isPublic = (name: OperationName): boolean => operationNamed(name).scope === "public";
const succeeded = ({ status }: WireAnswer): boolean => status < 300;

describe.each(proofStorageNames)("on %s, concurrently,", (place) => {
  test.each(honouring)(
    `%s under one Idempotency-Key, ${CONCURRENCY} at once, has one effect`,
    async (name) => {
      const call = ({ served, account }: World, process = served) =>
        callOverWire(process, name, inputOf(name, { account, served }), {
          authorization: `Bearer ${account.api_key}`,
          "idempotency-key": "once",
        });
      const once = await effectOnce(name);
      const world = await newWorld(place);
      const { served, storage } = world;
      const beside = await world.beside();
      let answers: WireAnswer[] = [];
      const raced = await effectOf(storage, async () => {
        answers = await Promise.all(
          Array.from({ length: CONCURRENCY }, (_, index) => call(world, index % 2 === 0 ? served : beside)),
        );
      });
      expect(raced).toEqual(once);
      for (const { status, code, headers } of answers.filter((answer) => !succeeded(answer))) {
        expect({ status, code }).toEqual({ status: 409, code: "idempotency_request_in_progress" });
        expect(headers.get("retry-after")).toBe("1");
      }
      expect(answers.filter((answer) => succeeded(answer) && !isReplay(answer))).toHaveLength(1);

      const again = await effectOf(storage, async () => {
        const replay = await call(world);
        expect({ ok: succeeded(replay), replay: isReplay(replay) }).toEqual({ ok: true, replay: true });
      });
      expect(again).toEqual({});
    },
  );

  test.each(casesOf(conflicting, honouring))(
    `%s with another body under the same key is a conflict, ${CONCURRENCY} at once`,
    async (name) => {
      const { served, account, ...world } = await newWorld(place);
      const beside = await world.beside();
      const input = inputOf(name, { account, served });
      const headers = { authorization: `Bearer ${account.api_key}`, "idempotency-key": "same" };
      const field = idField[name];
      const changed = field === undefined ? other[name] : { [field]: account.message_id };
      const answers = await Promise.all(
        Array.from({ length: CONCURRENCY }, (_, index) =>
          callOverWire(
            index % 3 === 0 ? beside : served,
            name,
            index % 2 === 0 ? input : { ...input, ...changed },
            headers,
          ),
        ),
      );
      const done = answers.filter((answer) => succeeded(answer) && !isReplay(answer));
      expect(done).toHaveLength(1);
      for (const { code } of answers.filter((answer) => !succeeded(answer))) expect(REFUSALS).toContain(code);
      const bodies = await Promise.all([
        callOverWire(served, name, input, headers),
        callOverWire(served, name, { ...input, ...changed }, headers),
      ]);
      expect(new Set(bodies.map(({ code }) => code))).toEqual(
        new Set(["idempotency_key_conflict", undefined]),
      );
    },
  );

  test.each(withClientId)(`%s with one client_id, ${CONCURRENCY} at once, has one effect`, async (name) => {
    const call = ({ served, account }: World) =>
      callOverWire(
        served,
        name,
        { ...inputOf(name, { account, served }), client_id: "once" },
        { authorization: `Bearer ${account.api_key}` },
      );
    const once = await effectOnce(name, { client_id: "once" });
    const world = await newWorld(place);
    let answers: WireAnswer[] = [];
    const raced = await effectOf(world.storage, async () => {
      answers = await Promise.all(Array.from({ length: CONCURRENCY }, () => call(world)));
    });
    expect(raced).toEqual(once);
    expect(new Set(answers.map(({ status }) => status < 300))).toEqual(new Set([true]));
    expect(new Set(answers.map(madeId)).size).toBe(1);
  });
});

describe("what honours no key", () => {
  // One service for all: none of the calls has an effect.
  let world: World;
  const close: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    world = await newWorld("memory");
    close.push(...closing.splice(0).toReversed());
  });
  afterAll(async () => {
    for (const each of close) await each();
  });

  test.each(refusing)("%s with an Idempotency-Key is refused, and has no effect", async (name) => {
    const { served, account, storage } = world;
    const credentials = isPublic(name) ? {} : { authorization: `Bearer ${account.api_key}` };
    let answer: WireAnswer | undefined;
    const effect = await effectOf(storage, async () => {
      answer = await callOverWire(served, name, inputOf(name, { account, served }), {
        ...credentials,
        "idempotency-key": "once",
      });
    });
    expect(["idempotency_not_supported", "session_required", "owner_only"]).toContain(answer?.code);
    expect(effect).toEqual({});
  });
});

describe.each(orderedPlaces)("on %s, sequentially,", (place) => {
  test.each(honouring.filter((name) => name !== "drafts.send"))(
    "%s with a key from yesterday has a new effect",
    async (name) => {
      const { served, account, storage } = await newWorld(place);
      const headers = { authorization: `Bearer ${account.api_key}`, "idempotency-key": "daily" };
      const call = (more: object = {}) =>
        callOverWire(served, name, { ...inputOf(name, { account, served }), ...more }, headers);
      await call();
      await served.clock.advance(DAY_MS - 1);
      expect(await effectOf(storage, () => call())).toEqual({});
      await served.clock.advance(1);
      const before = beforeAnotherDay[name];
      if (before !== undefined) {
        const { inbox_id } = inputOf(name, { account, served });
        const { authorization } = headers;
        expect(succeeded(await callOverWire(served, before, { inbox_id }, { authorization }))).toBe(true);
      }
      let answer: WireAnswer | undefined;
      const effect = await effectOf(storage, async () => {
        answer = await call(idField[name] === undefined ? anotherDay[name] : {});
      });
      expect({
        ok: answer !== undefined && succeeded(answer),
        made: Object.values(effect).some((count) => count > 0),
      }).toEqual({ ok: true, made: true });
    },
  );

  test.each(honouring)(
    "%s has one effect if its process dies before any storage call and it is retried",
    {
      timeout: PROOF_TIMEOUT_MS,
    },
    async (name) => {
      const call = ({ served, account }: World) =>
        callOverWire(served, name, inputOf(name, { account, served }), {
          authorization: `Bearer ${account.api_key}`,
          "idempotency-key": "kept",
        });
      const once = await effectOnce(name);
      let died = true;
      for (let moment = 1; died; moment += momentsApart) {
        const world = await newWorld(place);
        let answer: WireAnswer | undefined;
        const effect = await effectOf(world.storage, async () => {
          world.process.dieBefore(moment);
          await call(world);
          died = world.process.revive();
          answer = await call(world);
        });
        expect({ moment, effect, ok: answer !== undefined && succeeded(answer) }).toEqual({
          moment,
          effect: once,
          ok: true,
        });
        moments += 1;
      }
    },
  );
});
