import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { LIMITS } from "@letterslot/core";
import { silentLog } from "@letterslot/core/ports";
import { afterEach, expect, test, vi } from "vitest";
import { boundConnections } from "./connections.ts";

let server: Server;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.close();
});

/** Listens with the bound; the returned function opens a connection from an address of this machine. */
async function listen(trusted_proxies: string[] = [], log = silentLog) {
  const bound = boundConnections(trusted_proxies, log);
  server = createServer((socket) => void socket.on("error", () => undefined).resume());
  server.on("connection", bound);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return async (localAddress: string) => {
    const client = connect({ port, host: "127.0.0.1", localAddress });
    clients.push(client.on("error", () => undefined));
    await once(client, "connect");
    return client;
  };
}

const opened = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

test("one address has at most 512 connections, and gets a new one for each that it closes", async () => {
  const warn = vi.fn<typeof silentLog.warn>();
  const open = await listen([], { ...silentLog, warn });
  for (let count = 0; count < LIMITS.connections_per_address; count++) await open("127.0.0.2");
  for (let more = 0; more < 3; more++) await once(await open("127.0.0.2"), "close");
  expect(warn).toHaveBeenCalledTimes(1);
  expect(await opened()).toBe(LIMITS.connections_per_address);
  clients[0]?.destroy();
  await expect.poll(opened).toBe(LIMITS.connections_per_address - 1);
  await open("127.0.0.2");
  await open("127.0.0.3");
  await expect.poll(opened).toBe(LIMITS.connections_per_address + 1);
});

test.each([
  ["this machine's own address", "127.0.0.1", []],
  ["a trusted proxy", "127.0.0.2", ["127.0.0.2/32"]],
])("%s is not bounded", async (_, address, proxies) => {
  const open = await listen(proxies);
  for (let count = 0; count < LIMITS.connections_per_address + 2; count++) await open(address);
  await expect.poll(opened).toBe(LIMITS.connections_per_address + 2);
});
