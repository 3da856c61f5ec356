import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { remembering } from "./remember.ts";

const LONG_CHARS = 100_000;
const MEGABYTE = 1024 * 1024;

/** Bytes in use once garbage is collected. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

test("what is worked out once is remembered, also of texts that are no valid Unicode", () => {
  const asked: string[] = [];
  const read = remembering(2, (text) => asked.push(text));
  for (const text of ["a", "\ud83d", "a", "\ud83d", "b", "b", "a"]) read(text);
  expect(asked).toEqual(["a", "\ud83d", "b", "a"]);
});

test("neither a remembered text nor a part of it in a result keeps the long text in memory that it is from", () => {
  const read = remembering(1_000, (name) => name.slice(1));
  const before = heapInUse();
  for (let nth = 0; nth < 300; nth += 1) {
    const header = Buffer.alloc(LONG_CHARS, `${nth} person number ${nth} `).toString("latin1");
    read(header.slice(0, 40));
  }
  expect(heapInUse() - before).toBeLessThan(5 * MEGABYTE);
  expect(read("0 person number 0 ")).toBe(" person number 0 ");
});
