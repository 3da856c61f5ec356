import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import { CliError, EXIT } from "../frame/exit.ts";

/** The command that opens an address in the browser, by platform; BROWSER names another program. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
};

/** Whether a browser on this machine is in front of the person: not over ssh, nor without a display. */
export function hasBrowser(env: NodeJS.ProcessEnv, platform = process.platform): boolean {
  const set = (name: string) => (env[name] ?? "") !== "";
  if (set("BROWSER")) return true;
  if (set("SSH_CONNECTION") || set("SSH_TTY")) return false;
  return platform !== "linux" || set("DISPLAY") || set("WAYLAND_DISPLAY");
}

/** Opens an address in the browser, as far as that works: the address is also shown. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const chosen = (env["BROWSER"] ?? "") === "" ? OPENERS[process.platform] : [env["BROWSER"] ?? ""];
  const [program, ...words] = chosen ?? [];
  if (program === undefined) return;
  const child = spawn(program, [...words, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

/** A place on this machine to which the browser comes back with the answer. */
export interface Loopback {
  redirect_uri: string;
  /** The server's answer once the browser is back: the query's fields. */
  answer: Promise<URLSearchParams>;
  close(): void;
}

const PAGE = (words: string) => `<!doctype html><meta charset="utf-8"><title>Letterslot</title>
<p style="font: 1.2em system-ui; margin: 4em auto; max-width: 30em">${words}</p>`;

/** Listens on a free port of 127.0.0.1 for the answer to `state`; other requests are turned away. */
export async function listenForAnswer(state: string, signal: AbortSignal): Promise<Loopback> {
  let settle: (answer: URLSearchParams) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const answer = new Promise<URLSearchParams>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const ours = request.method === "GET" && pathname === "/callback" && searchParams.get("state") === state;
    response.writeHead(ours ? 200 : 404, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "cache-control": "no-store",
      connection: "close",
    });
    const words = searchParams.has("code") ? "You are logged in." : "You were not logged in.";
    response.end(
      PAGE(
        ours ? `${words} You can close this window and go back to the terminal.` : "There is nothing here.",
      ),
    );
    if (ours) settle(searchParams);
  });
  const port = await listen(server);
  const stop = () => fail(new CliError("The login was not finished.", { exit: EXIT.interrupted }));
  signal.addEventListener("abort", stop, { once: true });
  return {
    redirect_uri: `http://127.0.0.1:${port}/callback`,
    answer,
    close() {
      signal.removeEventListener("abort", stop);
      server.close();
    },
  };
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
