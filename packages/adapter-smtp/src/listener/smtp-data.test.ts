import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { SMTPServerDataStream } from "smtp-server";
import { describe, expect, test } from "vitest";
import { countBuffered, readMessage } from "./smtp-data.ts";

const MEGABYTE = 1024 * 1024;

describe("the buffer", () => {
  test("keeps its last eighth for messages of up to a megabyte", () => {
    const bufferedOf = countBuffered(80 * MEGABYTE, 80 * MEGABYTE);
    const [hostile, honest] = [bufferedOf("192.0.2.0/24"), bufferedOf("198.51.100.0/24")];
    expect(hostile.fits(70 * MEGABYTE, 0)).toBe(true);
    hostile.add(70 * MEGABYTE);
    expect(hostile.fits(MEGABYTE, 70 * MEGABYTE)).toBe(false);
    expect(honest.fits(MEGABYTE, 0)).toBe(true);
    expect(honest.fits(1, MEGABYTE)).toBe(false);
    hostile.add(-70 * MEGABYTE);
    expect(honest.fits(70 * MEGABYTE, 0)).toBe(true);
  });

  test("is shared out by network; local clients count only towards all", () => {
    const bufferedOf = countBuffered(100, 50);
    bufferedOf("192.0.2.0/24").add(50);
    expect(bufferedOf("192.0.2.0/24").fits(1, 0)).toBe(false);
    expect(bufferedOf("198.51.100.0/24").fits(50, 0)).toBe(true);
    expect(bufferedOf("198.51.100.0/24").fits(51, 0)).toBe(false);
    expect(bufferedOf(null).fits(50, 0)).toBe(true);
    expect(bufferedOf(null).fits(51, 0)).toBe(false);
  });
});

describe("a message", () => {
  const open = () => {
    const stream = new PassThrough() as unknown as SMTPServerDataStream & PassThrough;
    const buffered = countBuffered(MEGABYTE, MEGABYTE)(null);
    return { stream, buffered, read: readMessage(stream, buffered) };
  };

  test.each([[[5]], [[5, 5]], [[1, 5_000, 1]], [[5_000, 1, 1]], [[3_000, 70_000, 3_000, 3_000]], [[]]])(
    "is joined from chunks of %j bytes, and counted until it is released",
    async (sizes) => {
      const { stream, buffered, read } = open();
      const chunks = sizes.map((size, index) => Buffer.alloc(size, `${index}`));
      for (const chunk of chunks) stream.write(chunk);
      stream.end();
      const whole = Buffer.concat(chunks);
      const message = await read;
      if (typeof message === "string") throw new Error(message);
      expect(Buffer.compare(message.raw, whole)).toBe(0);
      expect(buffered.fits(MEGABYTE - whole.length + 1, 0)).toBe(false);
      message.release();
      expect(buffered.fits(MEGABYTE, 0)).toBe(true);
    },
  );

  test("that can't be taken fails, frees its share of the buffer, and is read to its end", async () => {
    const stream = new PassThrough() as unknown as SMTPServerDataStream & PassThrough;
    let counted = 0;
    let chunks = 0;
    const read = readMessage(stream, {
      add(bytes) {
        counted += bytes;
      },
      fits() {
        chunks += 1;
        if (chunks === 2) throw new Error("no memory is left");
        return true;
      },
    });
    for (const chunk of ["a few bytes", "and more", "and the rest"]) stream.write(chunk);
    await expect(read).rejects.toThrow("no memory is left");
    stream.end("and the end");
    await once(stream, "end");
    expect(counted).toBe(0);
  });

  test("that fails or is closed before its end frees its share of the buffer", async () => {
    for (const error of [undefined, new Error("connection reset")]) {
      const { stream, buffered, read } = open();
      stream.write("a few bytes");
      setImmediate(() => stream.destroy(error));
      await expect(read).rejects.toThrow(error?.message ?? "before the end");
      expect(buffered.fits(MEGABYTE, 0)).toBe(true);
    }
  });
});
