/**
 * Frees bytes now that the garbage collector would free some time later: they are empty then. Not those that are part of
 * more, which others may read.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}
