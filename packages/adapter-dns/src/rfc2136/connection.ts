import { randomInt } from "node:crypto";
import { connect, type Socket } from "node:net";
import { fail } from "@letterslot/core/ports";
import { type Reply, readReply } from "./wire.ts";

/** A TCP connection to a name server, on which messages go one after the other. */
export interface Connection {
  /** Sends what `compose` makes of a new id, and reads the answer. Fails with `dns_provider_unreachable`. */
  ask(compose: (id: number) => Buffer): Promise<Reply>;
  close(): void;
}

const MAX_ID = 0xffff;

/**
 * Connects to the first of the addresses that answers; each gets an equal share of the time. All queries must be
 * answered within `timeout_ms` too.
 */
export async function openConnection(
  addresses: readonly string[],
  port: number,
  timeout_ms: number,
): Promise<Connection> {
  const share_ms = Math.ceil(timeout_ms / addresses.length);
  let problem: unknown;
  for (const address of addresses) {
    try {
      return connectionOn(await openSocket(address, port, share_ms), timeout_ms);
    } catch (error) {
      problem = error;
    }
  }
  throw unreachable("The name server can't be connected to.", problem);
}

function openSocket(host: string, port: number, timeout_ms: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => socket.destroy(new Error("no connection in time")), timeout_ms);
    socket.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

function connectionOn(socket: Socket, timeout_ms: number): Connection {
  let received = Buffer.alloc(0);
  let broken: Error | undefined;
  let wake = () => {};
  const timer = setTimeout(() => socket.destroy(new Error("no answer in time")), timeout_ms);
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on("error", (error) => {
    broken = error;
  });
  socket.on("close", () => {
    clearTimeout(timer);
    broken ??= new Error("the connection was closed");
    wake();
  });

  /** The next message, which comes after its length (RFC 1035, section 4.2.2). */
  const nextMessage = async (): Promise<Buffer> => {
    for (;;) {
      const length = received.length < 2 ? undefined : received.readUInt16BE(0);
      if (length !== undefined && received.length >= length + 2) {
        const message = received.subarray(2, length + 2);
        received = received.subarray(length + 2);
        return message;
      }
      if (broken !== undefined) throw broken;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    async ask(compose) {
      const id = randomInt(MAX_ID + 1);
      const message = compose(id);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(message.length);
      try {
        socket.write(Buffer.concat([length, message]));
        return readReply(await nextMessage(), id);
      } catch (error) {
        throw unreachable("The name server does not answer as one.", error);
      }
    },
    close() {
      clearTimeout(timer);
      socket.destroy();
    },
  };
}

const unreachable = (message: string, cause: unknown) => fail("dns_provider_unreachable", { message, cause });
