import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openWriter } from "../connection.ts";
import { migrate } from "../schema.ts";
import { indexEntries, unindexDocument } from "./search-index.ts";
import { idToRow } from "./search-rows.ts";

test("rows rise with message ids and fit into 63 bits", () => {
  const ids = [
    "msg_00000000000000000000",
    "msg_0000000000000000001x",
    "msg_0000000000000000010x",
    "msg_000000000000000zzzz0",
    "msg_00000000100000000000",
    "msg_1kdvdna00xxxxxx0000x",
    "msg_1kdvdna00xxxxxx0001x",
    "msg_1kdvdna01aaaaaa0000x",
    "msg_3zzzzzzzzzzzzzzzzzzz",
  ];
  const rows = ids.map(idToRow);
  for (const [index, row] of rows.entries())
    if (index > 0) expect(row > (rows[index - 1] as bigint), ids[index]).toBe(true);
  for (const row of [...rows, idToRow("msg_zzzzzzzzzzzzzzzzzzzz")])
    expect(row >= 0n && row < 2n ** 63n).toBe(true);
});

test("a malformed message id is refused", () => {
  for (const word of ["", "msg_", "msg_1", "msg_ilouilouilouilouilou", "nonsense"]) {
    expect(() => idToRow(word)).toThrow("malformed message id");
  }
});

test("messages that map to the same row have one each, and keep it when another becomes free", async () => {
  const { folder, remove } = await temporaryFolder();
  const connection = openWriter(join(folder, "mail.db"), 0);
  onTestFinished(async () => {
    connection.close();
    await remove();
  });
  migrate(connection);
  const ids = ["msg_1kdvdna00aaaaaa0001x", "msg_1kdvdna00bbbbbb0001x", "msg_1kdvdna00cccccc0001x"] as const;
  const index = (message_id: string, text: string) =>
    indexEntries(connection, [
      { message_id, row: idToRow(message_id), columns: ["_scope", text, "", "", "", ""] },
    ]);
  const indexed = () =>
    connection.rows({
      sql: `select "message_id", (select count(*) from "search" where "search" match 'old' and rowid = "id") as "old"
        from "search_rows" order by "id"`,
      parameters: [],
    });

  for (const id of ids) index(id, "old");
  expect(indexed()).toEqual(ids.map((message_id) => ({ message_id, old: 1 })));
  unindexDocument(connection, ids[0]);
  index(ids[1], "new");
  expect(indexed()).toEqual([
    { message_id: ids[1], old: 0 },
    { message_id: ids[2], old: 1 },
  ]);
});
