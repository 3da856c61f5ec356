import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { generateCertificate } from "@letterslot/adapter-smtp";
import { createClient, whole } from "@letterslot/client";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BARE_ENVIRONMENT, builtServer } from "../../../../test/support/built-programs.ts";
import { casesOf } from "../../../../test/support/case-count.ts";
import { type ServerProcess, startProcess } from "../../testing/start-process.ts";

let folder: string;
let running: ServerProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-main-"));
  running = [];
});
afterEach(async () => {
  await Promise.all(
    running
      .filter(({ child }) => child.exitCode === null && child.signalCode === null)
      .map((server) => server.stop("SIGKILL")),
  );
  rmSync(folder, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startProcess({ DATA_DIR: join(folder, "data"), ...environment }, folder);
  running.push(server);
  return server;
}

/** Returns the command's stderr when it ends with status 1. */
async function refusal(args: string[] = [], environment: Record<string, string> = {}): Promise<string> {
  const env = {
    ...BARE_ENVIRONMENT,
    DATA_DIR: join(folder, "data"),
    PORT: "0",
    SMTP_PORT: "0",
    LOG_LEVEL: "error",
    ...environment,
  };
  const ended = promisify(execFile)(process.execPath, [main, ...args], { cwd: folder, env, timeout: 60_000 });
  const { code, stderr } = await ended.then(
    () => ({ code: 0, stderr: "" }),
    (error: { code: number; stderr: string }) => error,
  );
  expect(code).toBe(1);
  return stderr;
}

const main = await builtServer();

let made: Promise<Record<string, string | Buffer>> | undefined;
/** A certificate and its key, another key, and a file that is neither. */
async function keyFiles() {
  made ??= generateCertificate({ host: "mail.example.com", now: new Date() }).then(({ cert, key }) => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const other = rsa.export({ type: "pkcs8", format: "pem" });
    return { "cert.pem": cert, "key.pem": key, "rsa.pem": other, file: "nothing" };
  });
  return made;
}

const invoke = (argument: string) =>
  promisify(execFile)(process.execPath, [main, argument], { env: BARE_ENVIRONMENT });

describe("the process", () => {
  test("onboards, keeps its data over a restart, and stops gracefully", async () => {
    const first = await start();
    const { api_key, inbox } = await createClient({ baseUrl: first.base_url }).accounts.onboard({
      username: "ada",
    });
    expect(await first.stop()).toEqual({ code: 0, signal: null });
    expect(first.log.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(["started", "request", "stopped"]),
    );
    const second = await start();
    expect(
      await createClient({ baseUrl: second.base_url, apiKey: api_key }).inboxes.get({ inbox_id: "ada" }),
    ).toMatchObject({
      id: inbox.id,
    });
    await second.stop();
  });

  test.each(casesOf(["no-reply"], ["no-reply", "r"]))(
    "doesn't start while an inbox holds %s, and says so",
    async (name) => {
      const first = await start();
      await createClient({ baseUrl: first.base_url }).accounts.onboard({ username: "ada" });
      await first.stop();
      const database = new Database(join(folder, "data", "letterslot.db"));
      database.prepare("delete from addresses where kind = 'service'").run();
      database.prepare("update addresses set address = ?").run(`${name}@letterslot.localhost`);
      database.close();
      const refused = promisify(execFile)(process.execPath, [main], {
        cwd: folder,
        env: {
          ...BARE_ENVIRONMENT,
          DATA_DIR: join(folder, "data"),
          PORT: "0",
          SMTP_PORT: "0",
          LOG_LEVEL: "error",
        },
      });
      await expect(refused).rejects.toMatchObject({
        code: 1,
        stderr: `The inbox ${name}@letterslot.localhost has an address that the service itself needs now: delete it with the earlier version, then start this one.\n`,
      });
    },
  );

  test("prints where everything is without a terminal too, beside the log", async () => {
    const { base_url, said } = await start();
    const docs = `${base_url.replace("127.0.0.1", "localhost")}/docs\n`;
    await expect.poll(said).toContain(`API and docs   ${docs}`);
  });

  test.each([
    ["lets apps in where @letterslot/oauth is installed", {}, 200, "on: people can let them in"],
    ["lets none in if OAUTH is off", { OAUTH: "off" }, 404, "off\n"],
  ] as const)("%s, and says so", async (_, environment, status, words) => {
    const { base_url, said, log } = await start(environment);
    await expect.poll(said).toContain(`Apps (OAuth)   ${words}`);
    expect(log).toContainEqual(expect.objectContaining({ msg: "started", oauth: status === 200 }));
    expect((await fetch(`${base_url}/.well-known/oauth-authorization-server`)).status).toBe(status);
  });

  test.each([
    ["has models come by /mcp", {}, 401, "/mcp\n"],
    ["has none come if MCP is off", { MCP: "off" }, 404, "off\n"],
  ] as const)("%s, and says so", async (_, environment, status, words) => {
    const { base_url, said } = await start(environment);
    await expect.poll(said).toMatch(new RegExp(`Models \\(MCP\\) {3}\\S*${words}`));
    expect((await fetch(`${base_url}/mcp`, { method: "POST" })).status).toBe(status);
  });

  test("makes its folder and secrets accessible only to its own user", async () => {
    const server = await start({ SMTP_URL: "smtp://127.0.0.1:1", ONBOARDING: "closed" });
    const data = join(folder, "data");
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(data)).toBe("700");
    const secrets = ["encryption.key", "smtp-certificate.json"];
    expect(readdirSync(data)).toEqual(expect.arrayContaining(secrets));
    for (const name of secrets) expect(mode(join(data, name))).toBe("600");
    await server.stop();
  });

  test("refuses to share its folder, and takes over from a killed process", async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(
      /data is in use by another Letterslot \(process \d+\)\. Stop that one/,
    );
    await first.stop("SIGKILL");
    const second = await start();
    expect((await fetch(`${second.base_url}/readyz`)).status).toBe(200);
  });

  test("says which variable is wrong and what to do, and exits with 1", async () => {
    await expect(start({ ROLE: "boss" })).rejects.toThrow(
      'ROLE is "boss", which is not valid. Set it to all, api, worker or smtp.\n',
    );
  });

  const wrong: [string, Record<string, string>, RegExp][] = [
    [
      "a misspelled setting",
      { DATABSE_URL: "postgres://localhost/x" },
      /^DATABSE_URL is no setting\. Set DATABASE_URL/,
    ],
    ["HOST", { HOST: "no.such.host.invalid" }, /^HOST is "no\.such\.host\.invalid", which is no address/],
    ["HOST of another machine", { HOST: "192.0.2.1" }, /^HOST is "192\.0\.2\.1", which is no address/],
    ["SMTP_HOST", { SMTP_HOST: "192.0.2.1" }, /^SMTP_HOST is "192\.0\.2\.1", which is no address/],
    ["DATA_DIR", { DATA_DIR: "file" }, /^DATA_DIR is "file", which is not a folder\. Set it to a folder/],
    ["DATA_DIR below a file", { DATA_DIR: "file/data" }, /^DATA_DIR is "file\/data", which is not a folder/],
    [
      "SMTP_CERT",
      { SMTP_CERT: "no.pem", SMTP_KEY: "key.pem" },
      /^SMTP_CERT is "no\.pem", which cannot be read/,
    ],
    [
      "SMTP_CERT's content",
      { SMTP_CERT: "file", SMTP_KEY: "key.pem" },
      /^SMTP_CERT is "file", which cannot be used/,
    ],
    ["SMTP_KEY", { SMTP_CERT: "cert.pem", SMTP_KEY: "file" }, /^SMTP_KEY is "file", which cannot be used/],
    [
      "SMTP_KEY of another",
      { SMTP_CERT: "cert.pem", SMTP_KEY: "rsa.pem" },
      /^SMTP_KEY is "rsa\.pem", which is not the key/,
    ],
    ["DKIM_KEY", { DKIM_KEY: "no.pem" }, /^DKIM_KEY is "no\.pem", which cannot be read/],
    [
      "DKIM_KEY's kind",
      { DKIM_KEY: "key.pem" },
      /^DKIM_KEY is "key\.pem", which cannot be used\. Set it to a PEM/,
    ],
  ];
  /** One of each way to be wrong: no setting, no address here, no folder, no file, and no key that fits. */
  const each_way = ["a misspelled setting", "HOST of another machine", "DATA_DIR below a file", "DKIM_KEY"];
  const tried = wrong.filter(([name]) => casesOf([...each_way, "SMTP_KEY of another"].includes(name), true));
  test.each(tried)("names %s in one sentence when it is wrong", async (_, environment, sentence) => {
    const files = await keyFiles();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const stderr = await refusal([], environment);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test.each<[string, string[], RegExp]>([
    ["a command", ["serve"], /^There is no command "serve"\. Use migrate-storage, accounts/],
    ["an option", ["--port=1"], /^There is no option "--port=1"\. The server is configured with environment/],
    ...casesOf([], [
      ["an argument", ["--version", "now"], /^There is no option "now"/],
      ["an option of a command", ["accounts", "list", "--all"], /^Unknown option '--all'/],
    ] as [string, string[], RegExp][]),
  ])("names %s that it doesn't know", async (_, args, sentence) => {
    expect(await refusal(args)).toMatch(sentence);
  });

  test("names ENCRYPTION_KEY when it isn't the one that secrets were encrypted with", async () => {
    const first = await start({ ENCRYPTION_KEY: "01".repeat(32) });
    const { api_key } = await createClient({ baseUrl: first.base_url }).accounts.onboard({
      username: "ada",
    });
    const client = createClient({ baseUrl: first.base_url, apiKey: api_key });
    await client.webhooks.create({ url: "https://receiver.example.com/" });
    await first.stop();
    expect(await refusal([], { ENCRYPTION_KEY: "02".repeat(32) })).toMatch(
      /^ENCRYPTION_KEY is not the key that the stored secrets were encrypted with\. Set it[^\n]*\n$/,
    );
    const rotated = await start({ ENCRYPTION_KEY: `${"02".repeat(32)},${"01".repeat(32)}` });
    await rotated.stop();
  });

  test("names a damaged key file in DATA_DIR", async () => {
    await (await start()).stop();
    writeFileSync(join(folder, "data", "encryption.key"), "abcd\n");
    expect(await refusal()).toMatch(
      /^DATA_DIR has a damaged encryption key in [^\n]*encryption\.key\.[^\n]*\n$/,
    );
  });

  test("reads a .env file, which the environment overrides", async () => {
    writeFileSync(join(folder, ".env"), "ROLE=boss\nMAIL_DOMAIN=agents.example.com\n");
    await expect(start()).rejects.toThrow('ROLE is "boss"');
    const server = await start({ ROLE: "api" });
    const { inbox } = await createClient({ baseUrl: server.base_url }).accounts.onboard({ username: "ada" });
    expect(inbox.email).toBe("ada@agents.example.com");
  });

  test("says which port is in use", async () => {
    const first = await start();
    const port = new URL(first.base_url).port;
    await expect(start({ PORT: port, DATA_DIR: join(folder, "other") })).rejects.toThrow(
      `Port ${port} is already in use.`,
    );
  });

  test("finishes requests in progress before it stops, and answers waits", async () => {
    const server = await start();
    const { api_key, inbox } = await createClient({ baseUrl: server.base_url }).accounts.onboard({
      username: "ada",
    });
    const client = createClient({ baseUrl: server.base_url, apiKey: api_key, retries: 0 });
    const waiting = client.messages.wait({ inbox_id: inbox.id, wait: 55 });
    // This request was sent after the wait and is answered, so the wait has begun.
    expect((await client.inboxes.list()).data).toHaveLength(1);
    const ended = server.stop();
    expect(await waiting).toMatchObject({ object: "inbox_wait", timed_out: true });
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  test("captures outgoing mail and shows it on this machine", async () => {
    const server = await start({ BASE_URL: "http://localhost" });
    await createClient({ baseUrl: server.base_url }).accounts.onboard({
      username: "ada",
      owner_email: "boss@example.com",
    });
    const page = async () => (await fetch(`${server.base_url}/outbox`)).text();
    await expect.poll(page).toContain("boss@example.com");
    const outbox = join(folder, "data", "outbox");
    const name = readdirSync(outbox).find((file) => file.endsWith(".eml")) ?? "";
    const [signature = ""] = readFileSync(join(outbox, name), "utf8").split(/\r\n(?![ \t])/);
    expect(signature).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256;/);
    expect(signature).toMatch(/\bd=letterslot\.localhost;/);
    expect(signature).toMatch(/\bs=letterslot;/);
  });

  test("warns when strangers could send mail", async () => {
    const server = await start({ SMTP_URL: "smtp://127.0.0.1:1" });
    expect(server.log).toContainEqual(
      expect.objectContaining({ level: 40, msg: expect.stringContaining("ONBOARDING is open") }),
    );
    expect((await fetch(`${server.base_url}/outbox`)).status).toBe(404);
  });

  test("simulates telephony, shows it on this machine only, and knows its numbers after a restart", async () => {
    const environment = { BASE_URL: "http://localhost" };
    const before = await start(environment);
    const { base_url } = before;
    const { api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({
      username: "ada",
    });
    const client = createClient({ baseUrl: base_url, apiKey: api_key });
    const { e164 } = whole(await client.phoneNumbers.create({ inbox_id: inbox.id, area_code: "415" }));
    expect(e164).toBe("+14155550100");
    await before.stop();

    const server = await start(environment);
    const page = await (await fetch(`${server.base_url}/phone`)).text();
    expect(page).toContain(`ada@letterslot.localhost (${e164})`);
    const { data } = await createClient({
      baseUrl: server.base_url,
      apiKey: api_key,
    }).phoneNumbers.listAvailable({
      area_code: "415",
    });
    expect(data[0]?.phone_number).toBe("+14155550101");
    await fetch(`${server.base_url}/phone`, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ me: "+14155550199", act: "text", to: e164, text: "Is the table free?" }),
    });
    const found = await createClient({ baseUrl: server.base_url, apiKey: api_key }).messages.wait({
      inbox_id: inbox.id,
    });
    expect(found.data).toMatchObject([{ channel: "sms", from: "+14155550199" }]);
    await server.stop();

    const open = await start({ BASE_URL: "https://mail.example.com" });
    expect((await fetch(`${open.base_url}/phone`)).status).toBe(404);
  });

  test("runs a single role if configured", async () => {
    const server = await start({ ROLE: "api" });
    expect(server.smtp_port).toBeNull();
    expect((await fetch(`${server.base_url}/healthz`)).status).toBe(200);
  });

  test("says which Node it needs", async () => {
    const source = fileURLToPath(new URL("../main.js", import.meta.url));
    // The version that Node 20 reports; the file that fakes it must not import anything that Node 20 lacks.
    const old =
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
    const refused = promisify(execFile)(process.execPath, [
      "--import",
      `data:text/javascript,${encodeURIComponent(old)}`,
      source,
    ]);
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr:
        "letterslot-server needs Node 22.19 or newer, and this is Node 20.20.2. Install a newer one from https://nodejs.org.\n",
    });
    expect(readFileSync(source, "utf8").match(/^import .* from .*$/gm)).toEqual([
      'import { existsSync, readFileSync } from "node:fs";',
      'import { join } from "node:path";',
    ]);
  });

  test("prints its help and version", async () => {
    expect((await invoke("--help")).stdout).toContain("DATA_DIR");
    expect((await invoke("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
