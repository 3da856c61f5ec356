import { expect, test } from "vitest";
import { rowNumberOf } from "./search-rows.ts";

test("row numbers rise with message ids and fit into 63 bits", () => {
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
  const rows = ids.map(rowNumberOf);
  for (const [index, row] of rows.entries())
    if (index > 0) expect(row > (rows[index - 1] as bigint), ids[index]).toBe(true);
  for (const row of [...rows, rowNumberOf("msg_zzzzzzzzzzzzzzzzzzzz")])
    expect(row >= 0n && row < 2n ** 63n).toBe(true);
});

test("what is no message id has no row", () => {
  for (const word of ["", "msg_", "msg_1", "msg_ilouilouilouilouilou", "nonsense"]) {
    expect(() => rowNumberOf(word)).toThrow("this is no message id");
  }
});
