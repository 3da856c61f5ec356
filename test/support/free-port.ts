import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the range that systems take the ports of outgoing connections from, so that a port stays free while
 * its server is down.
 */
const lowest = 12_000;
/**
 * Each of vitest's workers takes its ports from a part of its own, so that none takes one whose server is
 * down.
 */
const count = 2_000;
const parts = 9;
const part = Number(process.env["VITEST_POOL_ID"] ?? 0) % parts;

/** A port of this machine that nobody listens on; the same process gets no port twice. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + part * count + Math.floor(Math.random() * count);
    if (!given.has(port) && (await isFree(port))) {
      given.add(port);
      return port;
    }
  }
}

const given = new Set<number>();

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
