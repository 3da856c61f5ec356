import { chmodSync, globSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { freePort } from "../../test/support/free-port.ts";
import { startDovecot } from "./dovecot.ts";
import { startNotmuch } from "./notmuch.ts";
import { startPostfix } from "./postfix.ts";
import { startRspamd } from "./rspamd.ts";
import { endWithThisProcess } from "./service.ts";

/** Postfix, Rspamd, Dovecot and notmuch, each with its own configuration, data and ports. */
export interface Stack {
  smtp_port: number;
  /** The first process of each; all others are their descendants. */
  pids: number[];
  /** The folder with the mail and its index. */
  mail: string;
  /** Counts the mails that are stored and indexed. */
  indexed(): Promise<number>;
  /** The Authentication-Results of a stored mail; empty if there is none. */
  authenticated(): string;
}

/** Rspamd compiles its patterns first, which takes half a minute of CPU. */
const START_MS = 240_000;
const RETRY_MS = 50;

/** Starts the stack in `folder`, for mail to `domain`. Its parts run as other users, so they may enter the folder. */
export async function startStack(
  folder: string,
  { domain, dns_server }: { domain: string; dns_server: string },
  cleanups: { push(end: () => unknown): void },
): Promise<Stack> {
  chmodSync(folder, 0o755);
  const [port, milter_port] = [await freePort(), await freePort()];
  const [mail, lmtp] = [join(folder, "mail"), join(folder, "lmtp")];
  // Stopped last, as clean-ups run in reverse.
  let stopWatching = () => {};
  cleanups.push(() => stopWatching());
  const dovecot = startDovecot(folder, { lmtp, mail });
  cleanups.push(dovecot.end);
  const rspamd = startRspamd(folder, { port: milter_port, dns_server });
  cleanups.push(rspamd.end);
  const notmuch = startNotmuch(folder, mail);
  cleanups.push(notmuch.end);
  const postfix = await startPostfix(folder, { port, milter_port, lmtp, domain });
  cleanups.push(postfix.end);
  const pids = [postfix.pid, dovecot.pid, rspamd.pid, notmuch.pid];
  stopWatching = endWithThisProcess(pids);
  await rspamd.compiled(START_MS);
  for (const address of [{ path: lmtp }, { port: milter_port }, { port }])
    await waitUntilOpen(address, folder);
  return {
    smtp_port: port,
    pids,
    mail,
    indexed: notmuch.count,
    authenticated() {
      const [stored] = globSync("*/Maildir/new/*", { cwd: mail });
      if (stored === undefined) return "";
      const headers = readFileSync(join(mail, stored), "utf8").split(/\r?\n\r?\n/)[0] ?? "";
      return /^Authentication-Results:(?:.*\n)(?:\s.*\n)*/im.exec(headers)?.[0] ?? "";
    },
  };
}

async function waitUntilOpen(address: { path: string } | { port: number }, folder: string): Promise<void> {
  for (const end = performance.now() + START_MS; performance.now() < end; await after(RETRY_MS))
    if (await accepts(address)) return;
  const logs = globSync("*/*.log", { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), "utf8").slice(-2_000),
  );
  throw new Error(`the stack did not start: nothing at ${JSON.stringify(address)}\n${logs.join("\n")}`);
}

function accepts(address: { path: string } | { port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect("port" in address ? { ...address, host: "127.0.0.1" } : address);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
