import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { machineNow } from "../measure/clock.ts";
import { serveCalls } from "../measure/program.ts";

let taken: { at: number; lines: string } | undefined;
let waiting: (() => void) | undefined;

/** The mail server that the service sends through. */
export const calls = {
  async listen() {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      onData(stream, _session, callback) {
        const at = machineNow();
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          callback();
          taken = { at, lines: Buffer.concat(chunks).toString("latin1") };
          waiting?.();
        });
      },
    });
    server.listen(0, "127.0.0.1");
    await once(server.server, "listening");
    return (server.server.address() as AddressInfo).port;
  },
  /** When the next mail, which says `word`, came: the machine's time in milliseconds. */
  async next(word: string) {
    while (taken?.lines.includes(word) !== true)
      await new Promise<void>((resolve) => {
        waiting = resolve;
      });
    return taken.at;
  },
};

serveCalls(calls);
