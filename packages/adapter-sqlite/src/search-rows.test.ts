import { expect, test } from "vitest";
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
