/** What is written at once; longer pieces are written on their own. */
const DESK_BYTES = 512 * 1024;
/** A character of a string is at most so many bytes in UTF-8. */
const BYTES_A_CHARACTER = 3;

const desk = Buffer.allocUnsafeSlow(DESK_BYTES);

/**
 * A list as JSON (RFC 8259) in UTF-8, item by item. One word in a script other than Latin makes a whole
 * string twice as large and dear to write; so it is only that of its own item, and a page of mail takes two
 * thirds of the time.
 */
export function listJson({
  data,
  ...rest
}: { data: readonly unknown[] } & Record<string, unknown>): Uint8Array<ArrayBuffer> {
  const done: Buffer[] = [];
  let at = 0;
  const clear = () => {
    if (at > 0) done.push(Buffer.from(desk.subarray(0, at)));
    at = 0;
  };
  const write = (text: string) => {
    const most = text.length * BYTES_A_CHARACTER;
    if (most > DESK_BYTES - at) clear();
    if (most > DESK_BYTES) done.push(Buffer.from(text));
    else at += desk.write(text, at);
  };

  const around = JSON.stringify({ ...rest, data: [] });
  write(around.slice(0, -"]}".length));
  for (const [index, item] of data.entries()) write((index === 0 ? "" : ",") + JSON.stringify(item));
  write("]}");
  clear();
  return done.length === 1 ? (done[0] as Buffer<ArrayBuffer>) : Buffer.concat(done);
}
