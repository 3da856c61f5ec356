import { once } from "node:events";
import { createServer } from "node:net";

/** Below the range of ephemeral ports, so that a port stays free while its server is down. */
const FIRST_PORT = 12_000;
/** Each of vitest's workers has its own range, so that none takes a port whose server is down. */
const PORTS_PER_WORKER = 2_000;
const RANGES = 9;
const range = Number(process.env["VITEST_POOL_ID"] ?? 0) % RANGES;

/** Finds a free port; never returns the same port twice in a process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + range * PORTS_PER_WORKER + Math.floor(Math.random() * PORTS_PER_WORKER);
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
