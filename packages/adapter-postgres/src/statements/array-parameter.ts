/** The types whose arrays are parameters, with PostgreSQL's numbers for them. */
const ELEMENT_OIDS = { boolean: 16, bytea: 17, bigint: 20, text: 25, json: 114 } as const;
const HEADER_BYTES = 12;
const DIMENSION_BYTES = 8;
const LENGTH_BYTES = 4;
const FIRST_INDEX = 1;
const NULL_LENGTH = -1;

/** The type of an array's elements. */
export type ElementType = keyof typeof ELEMENT_OIDS;

/** An array as a parameter. In pg's own text form each quote of each element is escaped, and read back by the server. */
export class ArrayParameter {
  /** For drivers with a form of their own. */
  readonly values: readonly unknown[];
  /** PostgreSQL's binary form, which pg sends for a buffer. Made at once: what can't be sent must fail before a commit is. */
  readonly bytes: Buffer;

  /** `values` must be in the driver's form for this type, or null. */
  constructor(type: ElementType, values: readonly unknown[]) {
    this.values = values;
    this.bytes = encode(type, values);
  }
}

function encode(type: ElementType, values: readonly unknown[]): Buffer {
  if (values.length === 0) return withHeader(Buffer.alloc(HEADER_BYTES), type, values);
  const lengths = values.map((value) => lengthOf(type, value));
  const size = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(length, 0), 0);
  const bytes = withHeader(Buffer.allocUnsafe(HEADER_BYTES + DIMENSION_BYTES + size), type, values);
  bytes.writeInt32BE(values.length, HEADER_BYTES);
  bytes.writeInt32BE(FIRST_INDEX, HEADER_BYTES + LENGTH_BYTES);
  let at = HEADER_BYTES + DIMENSION_BYTES;
  for (const [index, length] of lengths.entries()) {
    bytes.writeInt32BE(length, at);
    at += LENGTH_BYTES;
    if (length === NULL_LENGTH) continue;
    write(bytes, at, type, values[index]);
    at += length;
  }
  return bytes;
}

/** The number of dimensions, whether there are nulls, and the type of the elements. */
function withHeader(bytes: Buffer, type: ElementType, values: readonly unknown[]): Buffer {
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, LENGTH_BYTES);
  bytes.writeInt32BE(ELEMENT_OIDS[type], 2 * LENGTH_BYTES);
  return bytes;
}

function lengthOf(type: ElementType, value: unknown): number {
  if (value === null) return NULL_LENGTH;
  if (type === "bigint") return 8;
  if (type === "boolean") return 1;
  return type === "bytea" ? (value as Uint8Array).length : Buffer.byteLength(value as string);
}

function write(bytes: Buffer, at: number, type: ElementType, value: unknown): void {
  if (type === "bigint") bytes.writeBigInt64BE(BigInt(value as number), at);
  else if (type === "boolean") bytes.writeUInt8(value === true ? 1 : 0, at);
  else if (type === "bytea") bytes.set(value as Uint8Array, at);
  else bytes.write(value as string, at);
}
