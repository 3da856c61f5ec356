import { execFile } from "node:child_process";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@letterslot/client";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { generateCertificate } from "../packages/adapter-smtp/src/index.ts";
import { startDnsServer, type Zone } from "../packages/adapter-smtp/test/dns-server.ts";
import { createSqliteStorage } from "../packages/adapter-sqlite/src/index.ts";
import type { Check } from "../packages/server/src/process/doctor/checks.ts";
import { startProcess } from "../packages/server/testing/start-process.ts";
import { BARE_ENVIRONMENT, builtServer } from "./support/built-programs.ts";
import { casesOf } from "./support/case-count.ts";
import { freePort } from "./support/free-port.ts";
import { canMount, smallDisk } from "./support/full-disk.ts";
import { sendBySmtp, startSmtpSink } from "./support/smtp.ts";
import { until } from "./support/until.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const DOMAIN = "agents.example.com";
const main = await builtServer();
const dkim = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
  type: "pkcs8",
  format: "pem",
});

/** A set-up without faults: its environment, and the parts that a test breaks. */
interface SetUp {
  folder: string;
  environment: Record<string, string>;
  zone: Zone;
  args: string[];
}

async function healthy(): Promise<SetUp> {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-doctor-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const [port, smtp_port] = [await freePort(), await freePort()];
  const key = join(folder, "dkim.pem");
  writeFileSync(key, dkim);
  const zone: Zone = {
    [`MX ${DOMAIN}`]: [`10 ${DOMAIN}`],
    [`A ${DOMAIN}`]: ["127.0.0.1"],
    [`TXT ${DOMAIN}`]: ["v=spf1 mx ~all"],
    [`TXT letterslot._domainkey.${DOMAIN}`]: [dkimRecordOf(dkim)],
    [`TXT _dmarc.${DOMAIN}`]: ["v=DMARC1; p=none"],
    [`TXT *._report._dmarc.${DOMAIN}`]: ["v=DMARC1"],
  };
  const dns = await startDnsServer(zone);
  undo.push(dns.close);
  const relay = await startRelay({
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo[0]?.address ?? "";
        void sendBySmtp(smtp_port, { raw: Buffer.concat(chunks), from, to });
        done();
      });
    },
  });
  const environment = {
    DATA_DIR: join(folder, "data"),
    PORT: String(port),
    SMTP_PORT: String(smtp_port),
    MAIL_DOMAIN: DOMAIN,
    DNS_SERVER: dns.server,
    DKIM_KEY: key,
    SMTP_URL: relay,
    ONBOARDING: "closed",
    WEBHOOK_ALLOW: "127.0.0.0/8",
  };
  return { folder, environment, zone, args: [] };
}

function dkimRecordOf(pem: string | Buffer): string {
  const der = createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "der" });
  return `v=DKIM1; k=rsa; p=${der.toString("base64")}`;
}

/** A real mail server that relays; its URL. */
async function startRelay(options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    ...options,
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  undo.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

async function startHttp(
  listener: Parameters<typeof createServer>[1],
  port = 0,
  host = "127.0.0.1",
): Promise<Server> {
  const server = createServer(listener as Parameters<typeof createServer>[0]);
  server.listen(port, host);
  await once(server, "listening");
  undo.push(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return server;
}

interface Report {
  status: number;
  checks: Check[];
  failed: string[];
  of(name: string): Check | undefined;
}

async function examine({ folder, environment, args }: SetUp): Promise<Report> {
  const { status, stdout } = await run(["doctor", "--json", ...args], folder, environment);
  const checks = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Check);
  return {
    status,
    checks,
    failed: checks.filter((check) => check.status === "failed").map(({ name }) => name),
    of: (name) => checks.find((check) => check.name === name),
  };
}

/** Starts the server of a set-up and opens an account there. */
async function signUp({ environment, folder }: SetUp) {
  const server = await startProcess({ ...environment, ONBOARDING: "open" }, folder);
  undo.push(() => server.stop("SIGKILL"));
  const { base_url } = server;
  const { api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({ username: "ada" });
  return {
    server,
    client: createClient({ baseUrl: base_url, apiKey: api_key }),
    api_key,
    inbox_id: inbox.id,
  };
}

/** Runs the server's program to its end. */
function run(args: string[], cwd: string, environment: Record<string, string>) {
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd, env: { ...BARE_ENVIRONMENT, ...environment }, timeout: 90_000 };
    execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe("inboxes at persons' addresses", () => {
  test("are named as the server starts, and by the doctor, with what to do", async () => {
    const set_up = await healthy();
    const { server, inbox_id } = await signUp(set_up);
    const named = (log: typeof server.log) => log.filter(({ msg }) => String(msg).includes(inbox_id));
    expect(named(server.log)).toEqual([]);
    await server.stop();
    expect((await examine(set_up)).of("addresses")).toEqual({
      ...{ object: "check", name: "addresses", status: "ok", fix: null },
      says: "No inbox has the address of a person with a say.",
    });

    // The state after an upgrade of a database in which both had the address.
    const storage = createSqliteStorage({ path: join(set_up.folder, "data", "letterslot.db") });
    await storage.update("addresses", { inbox_id }, { kind: "person" });
    await storage.close();
    expect((await examine(set_up)).of("addresses")).toEqual({
      ...{ object: "check", name: "addresses", status: "warning" },
      says: `These inboxes have addresses that are persons' too: ${inbox_id} (ada@${DOMAIN}). The persons keep every right; mail of the inboxes counts as theirs nowhere.`,
      fix: "Delete the inboxes, or end the persons' rights.",
    });
    const again = await startProcess(set_up.environment, set_up.folder);
    undo.push(() => again.stop("SIGKILL"));
    expect(named(again.log)).toMatchObject([
      {
        inbox_id,
        msg: expect.stringContaining(
          `${inbox_id} has the address ada@${DOMAIN}, which is a person's too: `,
        ) as string,
      },
    ]);
  });
});

describe("the doctor", () => {
  test("finds nothing failed in a healthy set-up, and a mail to itself", async () => {
    const report = await examine(await healthy());
    expect(report.checks.filter(({ status }) => status === "failed")).toEqual([]);
    expect(report.status).toBe(0);
    for (const purpose of ["mx", "spf", "dkim", "dkim_elsewhere", "dmarc", "report_consent"])
      expect(report.of(`dns.${purpose}`)).toMatchObject({ status: "ok" });
    expect(report.of("self_mail")).toMatchObject({
      status: "ok",
      says: expect.stringMatching(/^A mail sent through SMTP_URL came in after \d+ ms\.$/) as string,
    });
    for (const check of report.checks) {
      expect(Object.keys(check)).toEqual(["object", "name", "status", "says", "fix"]);
      expect(check.says).toMatch(/^[A-Z0-9].*[.]$/s);
      expect(check.fix === null).toBe(check.status === "ok");
    }
  });

  test("with a server that runs, looks at it and leaves it alone", async () => {
    const setUp = await healthy();
    const { server, api_key, client, inbox_id } = await signUp(setUp);
    await client.webhooks.create({ url: "https://hooks.example.com/in" });
    const without_key = await examine(setUp);
    expect(without_key.failed).toEqual([]);
    expect(without_key.of("self_mail")).toMatchObject({
      status: "warning",
      fix: expect.stringContaining("LETTERSLOT_API_KEY") as string,
    });
    setUp.environment["LETTERSLOT_API_KEY"] = api_key;
    const with_key = await examine(setUp);
    expect(with_key.failed).toEqual([]);
    for (const name of [
      "server",
      "storage",
      "starttls",
      "dns.mx",
      "dns.dkim",
      "relay",
      "webhooks",
      "self_mail",
    ])
      expect(with_key.of(name)).toMatchObject({ status: "ok" });
    expect((await client.inboxes.list()).data.map(({ id }) => id)).toEqual([inbox_id]);
    expect(server.child.exitCode).toBeNull();
  });

  test("needs no server: a folder is made ready for it, and mail for others is put off", async () => {
    const setUp = await healthy();
    const sink = await startSmtpSink();
    undo.push(sink.close);
    Object.assign(setUp.environment, { SMTP_URL: sink.url });
    setUp.args.push("--wait", "20");
    const report = examine(setUp);
    const mail = await until("the doctor's mail", () => sink.arrived[0]);
    const port = Number(setUp.environment["SMTP_PORT"]);
    const send = (to: string) =>
      sendBySmtp(port, { raw: Buffer.from(mail.raw), from: "olga@owner.example", to });
    expect(await send(`ada@${DOMAIN}`)).toBe(451);
    expect(await send(mail.to[0] ?? "")).toBe(250);
    expect((await report).of("self_mail")).toMatchObject({ status: "ok" });
  });

  test("says what is wrong with its arguments, and helps", async () => {
    const { folder, environment } = await healthy();
    for (const args of casesOf(
      [["--quick"], ["--wait", "0"]],
      [["--quick"], ["--wait", "soon"], ["--wait", "0"]],
    )) {
      const { status, stderr } = await run(["doctor", ...args], folder, environment);
      expect(status).toBe(1);
      expect(stderr).toMatch(/--quick|--wait takes seconds/);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    const { status, stdout } = await run(["doctor", "--help"], folder, environment);
    expect(status).toBe(0);
    expect(stdout).toContain("Usage: letterslot-server doctor");
  });

  const faults: Record<string, (setUp: SetUp) => Promise<{ name: string; says: RegExp; also?: string[] }>> = {
    async "a misspelled setting"({ environment }) {
      environment["SMPT_PORT"] = "2525";
      return { name: "configuration", says: /SMPT_PORT is no setting\. Set SMTP_PORT/ };
    },
    async "a data folder that can't be written"({ folder, environment }) {
      environment["DATA_DIR"] = join(folder, "dkim.pem");
      return { name: "data_dir", says: /is not a folder/ };
    },
    async "another program at the HTTP port"({ environment }) {
      await startHttp((_, response) => response.end("hello"), Number(environment["PORT"]));
      return { name: "port.http", says: /^Port \d+ is in use by another program/ };
    },
    async "another program at the mail port"({ environment }) {
      await startHttp((_, response) => response.end("hello"), Number(environment["SMTP_PORT"]));
      return { name: "port.smtp", says: /^Port \d+ is in use by another program/ };
    },
    async "PostgreSQL that doesn't run"({ environment }) {
      environment["DATABASE_URL"] = `postgres://ada@127.0.0.1:${await freePort()}/mail`;
      environment["ENCRYPTION_KEY"] = "ab".repeat(32);
      return { name: "storage", says: /database cannot be used: .*ECONNREFUSED.*Check DATABASE_URL/ };
    },
    async "Redis that doesn't run"({ environment }) {
      environment["REDIS_URL"] = `redis://127.0.0.1:${await freePort()}`;
      return { name: "redis", says: /can't be reached/ };
    },
    async "an expired certificate"({ folder, environment }) {
      const now = new Date("2010-01-01T00:00:00Z");
      const { cert, key } = await generateCertificate({ host: DOMAIN, now });
      for (const [name, text] of [
        ["cert", cert],
        ["key", key],
      ] as const) {
        environment[`SMTP_${name.toUpperCase()}`] = join(folder, `${name}.pem`);
        writeFileSync(join(folder, `${name}.pem`), text);
      }
      return { name: "starttls", says: /expired on 2019-12-\d\d/ };
    },
    async "a DKIM record with another key"({ zone }) {
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const pem = privateKey.export({ type: "pkcs8", format: "pem" });
      zone[`TXT letterslot._domainkey.${DOMAIN}`] = [dkimRecordOf(pem)];
      return { name: "dns.dkim", says: /The DKIM record of agents\.example\.com says something else/ };
    },
    async "no MX record"({ zone }) {
      delete zone[`MX ${DOMAIN}`];
      return { name: "dns.mx", says: /The MX record of agents\.example\.com is missing/ };
    },
    async "a DNS server that doesn't answer"({ environment }) {
      environment["DNS_SERVER"] = `127.0.0.1:${await freePort()}`;
      return {
        name: "dns.dns_unavailable",
        says: /DNS can't be asked/,
        also: ["dns.mx", "dns.spf", "dns.dkim"],
      };
    },
    async "a clock that is wrong"({ environment }) {
      const ahead = new Date(Date.now() + 600_000).toUTCString();
      const server = await startHttp((_, response) => response.writeHead(200, { date: ahead }).end());
      environment["BASE_URL"] = `http://0.0.0.0:${(server.address() as AddressInfo).port}`;
      return { name: "clock", says: /^This machine's clock is \d{3} s behind that of 0\.0\.0\.0/ };
    },
    async "a relay that refuses the login"({ environment }) {
      const url = await startRelay({
        authOptional: false,
        onAuth: (_auth, _session, done) => done(new Error("wrong password")),
      });
      environment["SMTP_URL"] = url.replace("smtp://", "smtp://ada:secret@");
      return { name: "relay", says: /^127\.0\.0\.1:\d+ refuses the login: .*wrong password/ };
    },
    async "a relay that doesn't run"({ environment }) {
      environment["SMTP_URL"] = `smtp://127.0.0.1:${await freePort()}`;
      return { name: "relay", says: /can't be used: .*nothing listens there/ };
    },
    async "a relay that loses mail"({ environment, args }) {
      const sink = await startSmtpSink();
      undo.push(sink.close);
      environment["SMTP_URL"] = sink.url;
      args.push("--wait", "2");
      return { name: "self_mail", says: /was taken but didn't come in/ };
    },
    async "another key than the stored secrets are encrypted with"(setUp) {
      const { server, client } = await signUp(setUp);
      const relay = setUp.environment["SMTP_URL"] ?? "";
      await client.webhooks.create({ url: relay.replace("smtp:", "http:") });
      await server.stop();
      setUp.environment["ENCRYPTION_KEY"] = "ab".repeat(32);
      return { name: "encryption_key", says: /not the key that the stored secrets/ };
    },
    async "a webhook that can't be reached"(setUp) {
      const { server, client } = await signUp(setUp);
      const { id } = await client.webhooks.create({ url: `http://127.0.0.1:${await freePort()}/hook` });
      await server.stop();
      return { name: "webhooks", says: new RegExp(`^1 of 1 receivers.*${id}.*nothing listens there`) };
    },
  };

  /** Faults that hide none of each other, a few at a time. */
  const together = [
    [
      "another program at the HTTP port",
      "another program at the mail port",
      "a DNS server that doesn't answer",
      "a relay that doesn't run",
    ],
    [
      ...[
        "an expired certificate",
        "a DKIM record with another key",
        "no MX record",
        "a clock that is wrong",
      ],
      "a relay that refuses the login",
    ],
  ];
  const rest = Object.keys(faults).filter((name) => !together.flat().includes(name));
  const tried = casesOf(
    [...together, ...rest.map((name) => [name])],
    Object.keys(faults).map((name) => [name]),
  );
  test.each(tried.map((names) => [names.join(", "), names] as const))("names %s", async (_, names) => {
    const setUp = await healthy();
    const due = [];
    for (const name of names) due.push(await (faults[name] as (typeof faults)[string])(setUp));
    const report = await examine(setUp);
    const failed = due.flatMap(({ name, also = [] }) => [name, ...also]);
    expect(report.failed.toSorted()).toEqual(failed.toSorted());
    for (const { name, says } of due) {
      expect(report.of(name)?.says).toMatch(says);
      expect(report.of(name)?.fix).not.toBeNull();
    }
    expect(report.status).toBe(1);
  });

  test("warns of a DKIM_KEY that signs for another domain too", async () => {
    const setUp = await healthy();
    setUp.zone["TXT mail._domainkey.example.com"] = setUp.zone[`TXT letterslot._domainkey.${DOMAIN}`] ?? [];
    const report = await examine(setUp);
    expect(report.failed).toEqual([]);
    expect(report.of("dns.dkim_elsewhere")).toMatchObject({
      status: "warning",
      says: "The key of DKIM_KEY is published at mail._domainkey.example.com too.",
      fix: expect.stringContaining("a key of its own") as string,
    });
  });

  test("names a PostgreSQL that answers before a commit is on its disk", async () => {
    const setUp = await healthy();
    const { url, drop } = await freshDatabase();
    undo.push(drop);
    const unsafe = `${url}?options=${encodeURIComponent("-c synchronous_commit=off")}`;
    Object.assign(setUp.environment, { DATABASE_URL: unsafe, ENCRYPTION_KEY: "ab".repeat(32) });
    const report = await examine(setUp);
    expect(report.failed).toEqual(["storage"]);
    expect(report.of("storage")?.says).toMatch(/^PostgreSQL has synchronous_commit = off, so a power cut/);
    expect(report.of("storage")?.says).not.toContain("\n");
  });

  test("asks PostgreSQL for its version and its time", async () => {
    const setUp = await healthy();
    const { url, drop } = await freshDatabase();
    undo.push(drop);
    Object.assign(setUp.environment, { DATABASE_URL: url, ENCRYPTION_KEY: "ab".repeat(32) });
    const report = await examine(setUp);
    expect(report.of("storage")?.says).toMatch(/^PostgreSQL \d+/);
    expect(report.of("clock")).toMatchObject({
      status: "ok",
      says: expect.stringMatching(/clock is \d s (ahead of|behind) that of the database/) as string,
    });
  });

  // Only some may mount a small disk; the rule has its own tests in disk.test.ts.
  const smallDisks = canMount ? [smallDisk] : [];
  test.each(smallDisks)("names a disk that is nearly full", async (mountDisk) => {
    const disk = mountDisk();
    undo.push(disk.remove);
    const setUp = await healthy();
    Object.assign(setUp.environment, disk.environment);
    const report = await examine(setUp);
    expect(report.failed).toEqual(["disk.space"]);
    expect(report.of("disk.space")?.says).toMatch(/^\d+ MB are free/);
  });
});
