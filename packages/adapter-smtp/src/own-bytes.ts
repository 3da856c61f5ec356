/**
 * Bytes as they go to another thread: a view takes all the memory along that it looks at, such as Node's pool
 * for small buffers.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
