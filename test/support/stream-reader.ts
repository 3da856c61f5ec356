import { connect, type Socket } from "node:net";

/** A reader of an event stream, and its events over all its connections. */
export interface StreamReader {
  heartbeats: number;
  /** The sequence and the mail's subject of each event, in order of arrival. */
  events: { sequence: number; subject: string }[];
  /** The number of times the server ended its stream with a cursor to resume from. */
  ends: number;
  /** Failures: a response without a stream, a broken connection. */
  troubles: string[];
  hangUp(): void;
}

/** Options for opening a stream; with `comesBack` it reconnects when the server ends it, as agents do. */
export interface StreamPlace {
  port: number;
  api_key: string;
  comesBack: boolean;
}

/**
 * Opens an event stream over a plain socket, which is cheaper than an HTTP client, so that one process can hold
 * thousands. Resolves when the stream has opened. Broken connections are recorded in `troubles`.
 */
export function openReader({ port, api_key, comesBack }: StreamPlace): Promise<StreamReader> {
  const begun = Promise.withResolvers<void>();
  let socket: Socket;
  let leaving = false;
  let cursor = "";
  let type = "";

  const reader: StreamReader = {
    heartbeats: 0,
    events: [],
    ends: 0,
    troubles: [],
    hangUp() {
      leaving = true;
      socket.destroy();
    },
  };
  const ended = () => {
    reader.ends += 1;
    leaving = true;
    socket.destroy();
    if (comesBack) open();
  };
  const readLine = (line: string) => {
    if (line.startsWith("HTTP/1.1 ") && !line.startsWith("HTTP/1.1 200")) reader.troubles.push(line);
    if (line === ": open") begun.resolve();
    if (line === ": still here") reader.heartbeats += 1;
    if (line.startsWith("id: ")) cursor = line.slice(4);
    if (line.startsWith("event: ")) type = line.slice(7);
    if (!line.startsWith("data: ")) return;
    if (type === "end") return ended();
    const { sequence, data } = JSON.parse(line.slice(6)) as {
      sequence: number;
      data: { message?: { subject: string } };
    };
    reader.events.push({ sequence, subject: data.message?.subject ?? type });
  };
  const open = () => {
    leaving = false;
    socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const own = socket;
    let rest = "";
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (own === socket && !own.destroyed) readLine(line.trimEnd());
    });
    socket.on("error", (error) => reader.troubles.push(error.message));
    socket.on("close", () => {
      if (own === socket && !leaving) reader.troubles.push("the connection broke");
      begun.resolve();
    });
    const resume = cursor === "" ? "" : `Last-Event-ID: ${cursor}\r\n`;
    socket.write(
      `GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api_key}\r\n${resume}\r\n`,
    );
  };
  open();
  return begun.promise.then(() => reader);
}
