import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createSqliteStorage } from "./sqlite-storage.ts";

const event = (sequence: number, data: Record<string, unknown>) => ({
  id: `evt_${sequence}`,
  type: "message.received" as const,
  created_at: "2026-01-01T00:00:00.000Z",
  account_id: "acct_1",
  inbox_id: null,
  sequence,
  data,
  message_id: null,
});

test("JSON is read as it was written, whether it is short, long, of one script or of many", async () => {
  const { folder, remove } = await temporaryFolder();
  const storage = createSqliteStorage({ path: join(folder, "mail.db") });
  const texts = ["", "plain", "Grüße, 雨と風 \u0000 😀"];
  const written = texts.flatMap((text, row) =>
    [1, 60, 1000].map((times, column) => event(row * 3 + column + 1, { text: `${text} `.repeat(times) })),
  );
  await storage.transaction(async (tx) => tx.append("events", written));
  const read = await storage.find("events", {
    where: { account_id: "acct_1" },
    order: { by: "sequence", direction: "asc" },
    limit: 20,
  });
  expect(read).toEqual(written);
  const changed = await storage.update("events", { account_id: "acct_1" }, { inbox_id: "inb_1" });
  expect(changed.map(({ data }) => data)).toEqual(written.map(({ data }) => data));
  await storage.close();
  await remove();
});
