import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import {
  exported,
  type Files,
  imported,
  type Line,
  linesIn,
  withLines,
} from "../../../../../../test/support/archives.ts";
import { caseCount, PROOF_SEED } from "../../../../../../test/support/case-count.ts";
import { furnish } from "../../../../../../test/support/furnished-account.ts";
import { createTestService, type TestService } from "../../../../testing/index.ts";
import { type TableName, tables } from "../../../model/tables.ts";
import { ArchiveError } from "../archive.ts";
import { EXPORTED_KINDS } from "../exported-kinds.ts";

/** An archive in which everything says that it may. */
let files: Files;
let account_id: string;
/** The texts that stand anywhere in it: what somebody who makes one up would write elsewhere. */
let texts: unknown[];

beforeAll(async () => {
  const source = createTestService();
  ({ account_id } = await furnish(source, "ada"));
  const real = await exported(source, account_id);
  const all = (before: Files, kind: string, with_all: Line) =>
    withLines(before, kind, (line) => ({ ...line, ...with_all }));
  files = all(real, "approvals", { status: "approved" });
  files = all(files, "tasks", { trusted: true });
  files = all(files, "messages", { authenticated: true });
  files = all(files, "webhooks", { enabled: true, disabled_at: null, disabled_reason: null });
  files = all(files, "keys", { revoked_at: null });
  files = all(files, "drafts", { send_status: "scheduled", send_at: TIME, approval_status: "approved" });
  files = all(files, "owners", { status: "verified", verified_at: TIME });
  const found = new Set<unknown>();
  for (const kind of EXPORTED_KINDS)
    for (const line of linesIn(files, kind))
      for (const value of Object.values(line)) if (typeof value === "string") found.add(value);
  texts = [...found, "", TIME, "postmaster", "admin@example.com", "acct_x", "operator"];
}, 120_000);

const TIME = "2020-01-01T00:00:00.000Z";

/** Values that a column might have: most of them fit its shape, so that the archive isn't refused for that. */
function candidatesOf(kind: TableName, column: string, lines: readonly Line[]): readonly unknown[] {
  const shape = (tables[kind].record.shape as Record<string, z.ZodType>)[column];
  const nullable = shape instanceof z.ZodNullable;
  const inner = nullable ? shape.unwrap() : shape;
  const more = nullable ? [null] : [];
  if (inner instanceof z.ZodEnum) return [...inner.options, ...more];
  if (inner instanceof z.ZodBoolean) return [true, false, ...more];
  if (inner instanceof z.ZodNumber) return [0, 1, -1, 1_000_000, ...more];
  if (inner instanceof z.ZodString) return [...texts, ...more];
  return [...lines.map((line) => line[column]), {}, [], TIME, true, null];
}

/** A field of a random record that is something else. */
interface Change {
  kind: number;
  line: number;
  field: number;
  value: number;
  all: boolean;
}
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.nat(),
  line: fc.nat(),
  field: fc.nat(),
  value: fc.nat(),
  all: fc.boolean(),
});

function changed(before: Files, { kind, line, field, value, all }: Change): Files {
  const kinds = EXPORTED_KINDS.filter((each) => linesIn(before, each).length > 0);
  const name = kinds[kind % kinds.length] ?? "inboxes";
  const lines = linesIn(before, name);
  const columns = Object.keys(lines[0] ?? {});
  const column = columns[field % columns.length] ?? "id";
  const values = candidatesOf(name, column, lines);
  let at = 0;
  return withLines(
    before,
    name,
    (record): Line =>
      all || at++ === line % lines.length ? { ...record, [column]: values[value % values.length] } : record,
  );
}

/** Lists rights that an imported account has although nobody here granted them: there must be none. */
async function rightsOf({ letterslot, transport, receivers, phone }: TestService): Promise<string[]> {
  const { storage } = letterslot.services;
  const all = async (table: "owners" | "tasks" | "approvals" | "messages" | "webhooks" | "drafts") =>
    (await storage.find(table as "owners", {
      where: { id: { gt: "" } },
      order: { by: "id", direction: "asc" } as never,
      limit: 1_000,
    })) as unknown as Line[];
  const which = async (table: Parameters<typeof all>[0], has: (record: Line) => boolean) =>
    (await all(table)).some(has) ? [table] : [];
  const people = (await letterslot.operator.accounts.authority.list(account_id)).length;
  return [
    ...(await which("owners", ({ status, verified_at }) => status === "verified" || verified_at !== null)),
    ...(await which("tasks", ({ trusted, imported: marked }) => trusted === true || marked !== true)),
    ...(await which("approvals", ({ status, imported: marked }) => status === "pending" || marked !== true)),
    ...(await which("messages", (message) => {
      const auth = message["auth"] as Line | null;
      return message["authenticated"] === true || (auth !== null && auth["imported"] !== true);
    })),
    ...(await which("webhooks", ({ enabled }) => enabled === true)),
    ...(await which("drafts", ({ send_status }) => send_status === "scheduled" || send_status === "sending")),
    ...(people > 0 ? ["authorities"] : []),
    ...((await storage.count("proven_domains", {}, 1)) > 0 ? ["proven_domains"] : []),
    ...((await storage.count("recipients", {}, 1)) > 0 ? ["recipients"] : []),
    ...(transport.sent.length + receivers.posted.length + phone.texts.length > 0 ? ["something left"] : []),
  ];
}

test("an archive that was made up is refused in a sentence, or gives no right and lets nothing leave", async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const service = createTestService();
      const made_up = changes.reduce(changed, files);
      let done: Awaited<ReturnType<typeof imported>>;
      try {
        done = await imported(service, made_up);
      } catch (error) {
        expect(error).toBeInstanceOf(ArchiveError);
        expect((error as Error).message.length).toBeLessThan(400);
        return;
      }
      taken++;
      await service.clock.advance(3_600_000);
      await service.work();
      expect(await rightsOf(service)).toEqual([]);
      // The other keys of the archive are none.
      const { storage } = service.letterslot.services;
      const keys = await storage.find("keys", { where: { account_id }, limit: 100 });
      expect(keys.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(1);
      expect(done.account_id).toBe(account_id);
    }),
    { numRuns: caseCount(40, 2_000), seed: PROOF_SEED },
  );
  expect(taken).toBeGreaterThan(3);
}, 600_000);
