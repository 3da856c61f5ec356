/** Items are encoded into this buffer; larger ones are encoded on their own. */
const BUFFER_BYTES = 512 * 1024;
/** A UTF-16 code unit takes at most this many bytes in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3;

const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);

/**
 * Encodes a list as JSON (RFC 8259) in UTF-8, item by item. A single non-Latin character makes a whole string
 * twice as large and slow to encode; item by item that affects only its own item, and a page of mail takes
 * two thirds of the time.
 */
export function listJson({
  data,
  ...rest
}: { data: readonly unknown[] } & Record<string, unknown>): Uint8Array<ArrayBuffer> {
  const done: Buffer[] = [];
  let used = 0;
  const flush = () => {
    if (used > 0) done.push(Buffer.from(buffer.subarray(0, used)));
    used = 0;
  };
  const write = (text: string) => {
    const maxBytes = text.length * MAX_BYTES_PER_CHARACTER;
    if (maxBytes > BUFFER_BYTES - used) flush();
    if (maxBytes > BUFFER_BYTES) done.push(Buffer.from(text));
    else used += buffer.write(text, used);
  };

  const envelope = JSON.stringify({ ...rest, data: [] });
  write(envelope.slice(0, -"]}".length));
  for (const [index, item] of data.entries()) write((index === 0 ? "" : ",") + JSON.stringify(item));
  write("]}");
  flush();
  return done.length === 1 ? (done[0] as Buffer<ArrayBuffer>) : Buffer.concat(done);
}
