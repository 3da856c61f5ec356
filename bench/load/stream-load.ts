import { connect, type Socket } from "node:net";
import { machineNow } from "../measure/clock.ts";
import { serveCalls } from "../measure/program.ts";

const idle: Socket[] = [];
let streamed: number[] = [];
let polled: number[] = [];

/** Waiting readers on plain sockets. */
export const calls = {
  /** Opens streams of one key that will get no events; resolves when all have opened. */
  async openIdle({ port, api_key, count }: { port: number; api_key: string; count: number }) {
    const opening = Array.from({ length: count }, () => openStream(port, api_key, () => {}));
    idle.push(...(await Promise.all(opening)));
  },
  closeIdle() {
    for (const socket of idle.splice(0)) socket.destroy();
  },
  /** Opens one stream and one repeated long poll; both record when events arrive. */
  async listen({ port, api_key }: { port: number; api_key: string }) {
    await openStream(port, api_key, (text) => {
      recordArrivals(streamed, text.match(/event: webhook\.test/g)?.length ?? 0, machineNow());
    });
    void keepPolling(port, api_key);
  },
  /** The arrival times of events since the last call. */
  arrivals() {
    const answer = { streamed, polled };
    streamed = [];
    polled = [];
    return answer;
  },
};

function openStream(port: number, api_key: string, heard: (text: string) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("data", (text: string) => {
      if (text.includes(": open")) resolve(socket);
      heard(text);
    });
    socket.write(formatRequest("/api/v1/events/stream", api_key));
  });
}

async function keepPolling(port: number, api_key: string): Promise<void> {
  let after = "0";
  for (;;) {
    const answer = await poll(port, api_key, `/api/v1/events?after=${after}&wait=20&limit=200`);
    after = /"next_cursor":"(\d+)"/.exec(answer)?.[1] ?? after;
  }
}

function poll(port: number, api_key: string, path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let text = "";
    let first = 0;
    socket.setEncoding("latin1");
    socket.on("error", () => {});
    socket.on("data", (chunk: string) => {
      if (text === "") first = machineNow();
      text += chunk;
    });
    socket.on("close", () => {
      recordArrivals(polled, text.match(/"type":"webhook\.test"/g)?.length ?? 0, first);
      resolve(text);
    });
    socket.write(formatRequest(path, api_key, "close"));
  });
}

/** A chunk may contain several events. */
function recordArrivals(arrivals: number[], count: number, time: number): void {
  for (let each = 0; each < count; each++) arrivals.push(time);
}

const formatRequest = (path: string, api_key: string, connection = "keep-alive"): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api_key}\r\nConnection: ${connection}\r\n\r\n`;

serveCalls(calls);
