import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../../packages/adapter-postgres/test/fresh-database.ts";
import { createSqliteStorage } from "../../packages/adapter-sqlite/src/index.ts";
import { verifyReceipt } from "../../packages/client/src/receipts.ts";
import { createTestService } from "../../packages/core/testing/index.ts";
import { createPasskeys } from "../../packages/passkeys/src/index.ts";
import { casesOf } from "../support/case-count.ts";
import type { AskedDecision } from "../support/decision-racer.ts";
import { startRacer } from "../support/racers.ts";
import { createSoftPasskey } from "../support/soft-passkey.ts";

const PROGRAM = new URL("../support/decision-racer.ts", import.meta.url);
const BASE_URL = "https://mail.example.com";
/** As many as it takes for either process to come first at times. */
const ROUNDS = 16;
const FEWER_ROUNDS = casesOf(4, ROUNDS);
const PEOPLE = ["grace@example.com", "heidi@example.org"] as const;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const databases = {
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), "letterslot-decisions-"));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const database = join(folder, "letterslot.db");
    return { database, storage: createSqliteStorage({ path: database }) };
  },
  async PostgreSQL() {
    const { url, drop } = await freshDatabase();
    undo.push(drop);
    return { database: url, storage: await createPostgresStorage({ connectionString: url }) };
  },
};

/** An account with two people in charge, each with a session and a passkey that counts, and two processes that decide. */
async function setting(named: keyof typeof databases) {
  const { database, storage } = await databases[named]();
  undo.push(() => storage.close());
  const service = createTestService({ storage, passkeys: createPasskeys(), baseUrl: BASE_URL });
  const { letterslot } = service;
  const account = await service.signUp("agent");
  const { account_id, as, inbox } = account;
  const now = letterslot.services.clock.now();
  const times = { created_at: now.toISOString(), last_seen_at: now.toISOString() };
  const expires_at = new Date(now.getTime() + 24 * 3600_000).toISOString();
  const people = await Promise.all(
    PEOPLE.map(async (email) => {
      await letterslot.operator.accounts.authority.give({ account_id, email });
      const session_id = letterslot.services.makeId("ses");
      await storage.insert("sessions", {
        ...{ id: session_id, token_hash: session_id, email, user_agent: null, ...times, expires_at },
      });
      const caller = await letterslot.callerFor({ email, session_id, ip: null }, "passkeys.list", {});
      const person = letterslot.as(caller);
      const device = createSoftPasskey(BASE_URL);
      const { create } = await person.passkeys.options({});
      const { id } = await person.passkeys.create({ passkey: device.make(create ?? {}) });
      await storage.update("passkeys", { id }, { counts_from: times.created_at });
      return { email, session_id, device, person };
    }),
  );
  await as.inboxes.update({ inbox_id: inbox.id, send_mode: "approval" });
  const racers = await Promise.all([1, 2].map(() => startRacer(PROGRAM, [database, BASE_URL])));
  undo.push(...racers.map(({ stop }) => stop));
  return { ...account, service, storage, racers, people };
}

type Setting = Awaited<ReturnType<typeof setting>>;
type Pair = readonly [AskedDecision, AskedDecision];

async function held({ as, inbox }: Setting, round: number) {
  const mail = { to: [`ada-${round}@example.org`], subject: `Offer ${round}`, text: `${round} euros` };
  const draft = await as.messages.send({ inbox_id: inbox.id, ...mail });
  if (draft.object !== "draft") throw new Error("the mail was not held");
  return as.approvals.get({ approval_id: draft.approval_id ?? "" });
}

/** Has two processes decide at once, each as often first; answers what each said, and that one alone won. */
async function race({ racers }: Setting, pair: Pair, round: number): Promise<string[]> {
  const { approval_id } = pair[0].input;
  const order = round % 2 === 0 ? racers : racers.toReversed();
  return Promise.all(
    order.map(({ ask }, nth) =>
      ask(approval_id, `${approval_id} ${Buffer.from(JSON.stringify(pair[nth])).toString("base64url")}`),
    ),
  );
}

/** Checks that every decided approval has one receipt, which says what became of it, and that the chain has them all. */
async function audit({ service, storage, account_id }: Setting, approvals: readonly string[]) {
  const receipts = await storage.find("receipts", { where: { account_id }, limit: 999 });
  const keys = await service.letterslot.operator.approvalKeys.list();
  const byHash = new Map(
    receipts.map((receipt) => [createHash("sha256").update(receipt.jws).digest("hex"), receipt.jws]),
  );
  expect(receipts.map(({ approval_id }) => approval_id).toSorted()).toEqual(approvals.toSorted());
  for (const { approval_id, jws } of receipts) {
    const approval = await storage.get("approvals", approval_id);
    const { payload } = await verifyReceipt(jws, { keys, account: account_id, approval: approval_id });
    expect([payload["decision"], payload["edited"], payload["act"]]).toMatchObject([
      approval?.status === "approved" ? "approve" : "reject",
      approval?.edited,
      { digest: approval?.digest },
    ]);
  }
  // From the newest to the first one, none is left out and none has two that follow it.
  let hash: string | null = (await storage.get("accounts", account_id))?.receipt_head ?? null;
  const passed = new Set<string>();
  while (hash !== null) {
    const jws: string | undefined = byHash.get(hash);
    if (jws === undefined || passed.has(hash)) throw new Error(`the chain is broken at ${hash}`);
    passed.add(hash);
    hash = (await verifyReceipt(jws, { keys })).payload["prev"] as string | null;
  }
  expect(passed.size).toBe(receipts.length);
}

/** In the gate processes share the database that is made for it, and with `--only storages` also a folder. */
const NAMED = casesOf(["PostgreSQL"], ["SQLite", "PostgreSQL"]);

describe.each(NAMED as (keyof typeof databases)[])(
  "of two decisions at once in two processes on %s",
  (named) => {
    const decides = async (
      pairOf: (at: Setting, round: number) => Promise<Pair>,
      lost: readonly string[],
      rounds = FEWER_ROUNDS,
    ) => {
      const at = await setting(named);
      const raced: { pair: Pair; said: string[] }[] = [];
      for (let round = 0; round < rounds; round++) {
        const pair = await pairOf(at, round);
        raced.push({ pair, said: await race(at, pair, round) });
      }
      for (const { said } of raced) {
        expect(said.filter((outcome) => outcome === "won")).toEqual(["won"]);
        expect(lost).toContain(said.find((outcome) => outcome !== "won"));
      }
      for (const { pair, said } of raced) {
        const { input } = pair[said.indexOf("won")] ?? pair[0];
        const approval = await at.as.approvals.get({ approval_id: input.approval_id });
        expect([approval.status, approval.edited]).toEqual([
          input.decision === "approve" ? "approved" : "rejected",
          input["changes"] !== undefined,
        ]);
      }
      await audit(
        at,
        raced.map(({ pair }) => pair[0].input.approval_id),
      );
      return raced.map(({ said }) => said.indexOf("won"));
    };
    const inSession = ({ people }: Setting, nth: number) => {
      const { email, session_id } = people[nth] ?? { email: "", session_id: "" };
      return { email, session_id };
    };

    test("an approval and a rejection: one counts, and has the only receipt", async () => {
      const won = await decides(
        async (at, round) => {
          const { id: approval_id, digest } = await held(at, round);
          const by = (nth: number, decision: "approve" | "reject") => ({
            ...{ ...inSession(at, nth), input: { approval_id, digest, decision } },
          });
          return round % 4 < 2 ? [by(0, "approve"), by(1, "reject")] : [by(0, "reject"), by(1, "approve")];
        },
        ["approval_closed"],
        ROUNDS,
      );
      // Neither always comes first, or nothing raced.
      expect(new Set(won).size).toBe(2);
    }, 180_000);

    test("two approvals with one signature of a passkey: one counts", async () => {
      const won = await decides(
        async (at, round) => {
          if (round === 0) await at.as.inboxes.update({ inbox_id: at.inbox.id, approve_with: "passkey" });
          const { id: approval_id, digest } = await held(at, round);
          const input = { approval_id, digest, decision: "approve" as const };
          const [grace] = at.people;
          if (grace === undefined) throw new Error("nobody has charge");
          const { person, device } = grace;
          const { get } = await person.approvals.decideOptions(input);
          const asked = { ...inSession(at, 0), input: { ...input, passkey: device.sign(get) } };
          return [asked, asked];
        },
        ["passkey_invalid"],
      );
      expect(won).toHaveLength(FEWER_ROUNDS);
    }, 180_000);

    test("an approval with changes and one without: one counts, and only what was read leaves", async () => {
      const won = await decides(
        async (at, round) => {
          const { id: approval_id, digest } = await held(at, round);
          const input = { approval_id, digest, decision: "approve" as const };
          const edited = { ...input, changes: { text: `${round} dollars` } };
          return [
            { ...inSession(at, 0), input: edited },
            { ...inSession(at, 1), input },
          ];
        },
        ["approval_closed", "approval_changed"],
        ROUNDS,
      );
      expect(won).toHaveLength(ROUNDS);
    }, 180_000);
  },
);
