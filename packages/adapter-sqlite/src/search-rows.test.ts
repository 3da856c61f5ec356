import { expect, test } from "vitest";
import { createIds } from "../../core/src/ids.ts";
import { rowNumberOf } from "./search-rows.ts";

test("row numbers rise with message ids and fit into 63 bits", () => {
  let now = Date.parse("2026-01-01T00:00:00.000Z");
  let made = 0;
  const makeId = createIds(() => (made++ % 3 === 0 ? ++now : now));
  const rows = Array.from({ length: 1000 }, () => rowNumberOf(makeId("msg")));
  for (const [index, row] of rows.entries()) if (index > 0) expect(row > (rows[index - 1] as bigint)).toBe(true);
  expect(rowNumberOf("msg_zzzzzzzzzzzzzzzzzzzz") < 2n ** 63n).toBe(true);
});

test("what is no message id has no row", () => {
  for (const word of ["", "msg_", "msg_1", "msg_ilouilouilouilouilou", "nonsense"]) expect(() => rowNumberOf(word)).toThrow();
});
