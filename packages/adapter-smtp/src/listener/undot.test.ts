import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { SMTPStream } from "smtp-server/lib/smtp-stream.js";
import { describe, expect, test } from "vitest";
import { createDotReader, createPace, readDotsQuickly } from "./undot.ts";

/** Reads chunks to the end of the data, those from `skipped` on without content; what follows it is the rest. */
function readAll(chunks: string[], skipped = chunks.length): { content: string; rest: string | null } {
  const reader = createDotReader();
  let content = "";
  for (const [index, chunk] of chunks.entries()) {
    const bytes = Buffer.from(chunk, "latin1");
    const read = index < skipped ? reader.read(bytes) : reader.skip(bytes);
    content += read.content.toString("latin1");
    if (read.rest !== null)
      return { content, rest: read.rest.toString("latin1") + chunks.slice(index + 1).join("") };
  }
  return { content, rest: null };
}

/** RFC 5321, section 4.5.2, on the whole data; a dot is also dropped after a bare LF, as smtp-server does. */
function readWhole(data: string): { content: string; rest: string | null } {
  const whole = `\r\n${data}`;
  const end = /\r\n\.\r\n/.exec(whole);
  if (end === null) return { content: "", rest: null };
  const content = whole.slice(0, end.index + 2).replace(/\n\.\./g, "\n.");
  return { content: content.slice(2), rest: whole.slice(end.index + 5) };
}

describe("the data of a mail", () => {
  test.each([
    [".\r\nQUIT\r\n", "", "QUIT\r\n"],
    ["a\r\n.\r\n", "a\r\n", ""],
    ["..\r\n.\r\n", ".\r\n", ""],
    ["a\r\n..\r\n...\r\n.b\r\n.\r\n", "a\r\n.\r\n..\r\n.b\r\n", ""],
    ["a\n.\r\nb\r\n.\n.\r\r\n.\r\n", "a\n.\r\nb\r\n.\n.\r\r\n", ""],
    ["a\n..b\r\n.\r\n", "a\n.b\r\n", ""],
    ["\r\n.\r\n", "\r\n", ""],
  ])("%j is %j, then %j", (data, content, rest) => {
    expect(readAll([data])).toEqual({ content, rest });
    expect(readAll([...data])).toEqual({ content, rest });
  });

  test("is the same however it is split", () => {
    const piece = fc.constantFrom(".", "..", "\r\n", "\n", "\r", "a", "\r\n.", "\r\n..", "b c");
    const chunks = fc.array(
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(chunks, (begun) => {
        const all = [...begun, "\r\n.\r\n", "rest"];
        expect(readAll(all)).toEqual(readWhole(all.join("")));
      }),
      { numRuns: 5_000 },
    );
  });

  test("ends at the same place when it is skipped from any chunk on", () => {
    const piece = fc.constantFrom(".", "..", "\r\n", "\n", "\r", "a", "\r\n.", "\r\n..", "\r\n.\r", "b c");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), fc.nat(16), (begun, skipped) => {
        const all = [...begun, "\r\n.\r\n", "rest"];
        expect(readAll(all, skipped).rest).toBe(readWhole(all.join("")).rest);
      }),
      { numRuns: 5_000 },
    );
  });

  test("is read by it in smtp-server's parser; anything else stays as it is", () => {
    expect(readDotsQuickly(new SMTPStream())).toBe(true);
    expect(readDotsQuickly(undefined)).toBe(false);
    expect(readDotsQuickly({})).toBe(false);
  });
});

test("a turn of the event loop reads as much as it may, of all connections, in call order", async () => {
  const pace = createPace(100);
  const read: string[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) pace(60, () => read.push(name));
  expect(read).toEqual(["a", "b"]);
  await setImmediate();
  expect(read).toEqual(["a", "b", "c", "d"]);
  pace(60, () => read.push("f"));
  expect(read).toEqual(["a", "b", "c", "d"]);
  await setImmediate();
  expect(read).toEqual(["a", "b", "c", "d", "e", "f"]);
  await setImmediate();
  pace(1_000, () => read.push("larger than a turn"));
  expect(read.at(-1)).toBe("larger than a turn");
});
