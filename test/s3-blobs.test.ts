import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@letterslot/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createPostgresBlobs,
  createPostgresStorage,
  type PostgresStorage,
} from "../packages/adapter-postgres/src/index.ts";
import { emptySchema, freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { createS3Objects } from "../packages/adapter-s3/src/index.ts";
import { type S3Server, startS3Server } from "../packages/adapter-s3/test/s3-server.ts";
import { blobsKit } from "../packages/core/conformance/index.ts";
import { createManualClock } from "../packages/core/testing/index.ts";
import type { Check } from "../packages/server/src/process/doctor/checks.ts";
import { startProcess } from "../packages/server/testing/start-process.ts";
import { BARE_ENVIRONMENT, builtServer } from "./support/built-programs.ts";
import { casesOf } from "./support/case-count.ts";
import { sendBySmtp } from "./support/smtp.ts";

const WRONG_SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY";

let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

describe("blobs in PostgreSQL and a bucket", () => {
  let storage: PostgresStorage;

  beforeAll(async () => {
    storage = await createPostgresStorage({ connectionString: database.url, schema: "kit" });
  });
  afterAll(() => storage.close());

  blobsKit({
    test,
    async open() {
      await emptySchema(storage);
      const clock = createManualClock();
      const server = await startS3Server();
      const open = () => createPostgresBlobs({ storage, clock, objects: createS3Objects(server.access) });
      return {
        blobs: open(),
        storage,
        now: clock.now,
        advance: clock.advance,
        reopen: async () => open(),
        close: server.close,
      };
    },
  });
});

describe("a server with a bucket", () => {
  const undo: (() => unknown)[] = [];
  afterAll(async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  });

  /** A database of its own, a bucket, and the environment that names both. */
  async function setUp() {
    const folder = mkdtempSync(join(tmpdir(), "letterslot-bucket-"));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const own = await freshDatabase();
    undo.push(own.drop);
    const bucket = await startS3Server();
    undo.push(bucket.close);
    const environment = {
      DATA_DIR: join(folder, "data"),
      DATABASE_URL: own.url,
      ENCRYPTION_KEY: "ab".repeat(32),
      S3_URL: bucket.access.url,
      S3_ACCESS_KEY_ID: bucket.access.accessKeyId,
      S3_SECRET_ACCESS_KEY: bucket.access.secretAccessKey,
    };
    return { folder, bucket, environment };
  }

  let set: Awaited<ReturnType<typeof setUp>>;
  let server: Awaited<ReturnType<typeof startProcess>>;
  beforeAll(async () => {
    set = await setUp();
    server = await startProcess(set.environment, set.folder);
    undo.push(() => server.stop("SIGKILL"));
  });

  async function signUp(username: string) {
    const { base_url } = server;
    const { api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({ username });
    const client = createClient({ baseUrl: base_url, apiKey: api_key });
    const send = (subject: string, attached?: Buffer) =>
      sendBySmtp(Number(server.smtp_port), {
        raw: mailOf(inbox.email, subject, attached),
        from: "bo@example.com",
        to: inbox.email,
      });
    return { client, inbox_id: inbox.id, send };
  }

  /** Runs the server's program to its end. */
  async function run(args: string[], cwd: string, environment: Record<string, string>) {
    const main = await builtServer();
    const options = { cwd, env: { ...BARE_ENVIRONMENT, ...environment }, timeout: 90_000 };
    return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  const uploads = ({ requests }: S3Server) => requests.filter((line) => line.startsWith("PUT ")).length;

  test("keeps small mail in the database and large bytes in the bucket, and both are read back", async () => {
    const { client, inbox_id, send } = await signUp("ada");
    expect(await send("small")).toBe(250);
    expect(uploads(set.bucket)).toBe(0);
    const attached = randomBytes(300_000);
    expect(await send("large", attached)).toBe(250);
    expect(uploads(set.bucket)).toBe(2);
    const { data } = await client.messages.list({ inbox_id });
    const large = data.find(({ subject }) => subject === "large");
    const [attachment] = large?.attachments ?? [];
    const got = await client.attachments.get({
      inbox_id,
      message_id: large?.id ?? "",
      attachment_id: attachment?.id ?? "",
    });
    expect(Buffer.compare(Buffer.from(got.bytes), attached)).toBe(0);
  });

  test("puts off large mail while the bucket doesn't answer, and takes small mail", async () => {
    const { client, inbox_id, send } = await signUp("bo");
    set.bucket.intercept((_, response) => {
      response.writeHead(503).end();
      return true;
    });
    expect(await send("large", randomBytes(300_000))).toBe(451);
    expect(await send("small")).toBe(250);
    set.bucket.intercept(() => false);
    expect(await send("large again", randomBytes(300_000))).toBe(250);
    const { data } = await client.messages.list({ inbox_id });
    expect(data.map(({ subject }) => subject).sort()).toEqual(["large again", "small"]);
  });

  /** Returns the doctor's findings about the bucket, and all its output. */
  async function examine(folder: string, environment: Record<string, string>) {
    const { stdout, stderr } = await run(["doctor", "--json", "--no-mail"], folder, environment);
    const checks = stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Check);
    return { check: checks.find(({ name }) => name === "objects"), printed: stdout + stderr };
  }

  test("that loses objects fails the doctor, who leaves nothing behind", async () => {
    const { folder, bucket, environment } = await setUp();
    bucket.intercept(({ method }, response) => {
      if (method !== "GET") return false;
      response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
      return true;
    });
    const { check } = await examine(folder, environment);
    expect(check?.status).toBe("failed");
    expect(check?.says).toBe("An object can't be got in S3_URL: it isn't there after it was put.");
    expect(bucket.requests.map((line) => line.split(" ")[0])).toEqual(["PUT", "GET", "DELETE"]);
  });

  test("is looked at by the doctor, who says what is wrong and keeps the secret", async () => {
    const { folder, environment } = await setUp();
    const elsewhere = environment.S3_URL.replace("s3://mail/", "s3://elsewhere/");
    const cases: [Record<string, string>, RegExp][] = [
      [{}, /^An object can be put, got and deleted in S3_URL\.$/],
      [{ S3_SECRET_ACCESS_KEY: WRONG_SECRET }, /can't be put in S3_URL: .* 403 SignatureDoesNotMatch\.$/],
      ...casesOf<[Record<string, string>, RegExp][]>(
        [],
        [[{ S3_URL: elsewhere }, /can't be put in S3_URL: .* 404 NoSuchBucket\.$/]],
      ),
    ];
    for (const [changed, says] of cases) {
      const { check, printed } = await examine(folder, { ...environment, ...changed });
      expect(check?.says).toMatch(says);
      expect(check?.status).toBe((changed["S3_URL"] ?? changed["S3_SECRET_ACCESS_KEY"]) ? "failed" : "ok");
      expect(printed).not.toContain(WRONG_SECRET);
    }
    const strange = { ...environment, S3_URL: "s3://mail?endpoint=http://store.example" };
    const { status, stderr } = await run([], folder, strange);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^S3_URL is not valid\. The endpoint must begin with https/),
    ]);
  });

  test("is copied to SQLite with what is in the bucket, and not without the bucket", async () => {
    const { client, inbox_id, send } = await signUp("cy");
    const attached = randomBytes(300_000);
    expect(await send("large", attached)).toBe(250);
    expect((await client.messages.list({ inbox_id })).data).toHaveLength(1);
    await server.stop();
    const target = join(set.folder, "sqlite");
    mkdirSync(target);
    const words = ["migrate-storage", "--from", set.environment.DATABASE_URL, "--to", `sqlite:${target}`];
    const without = await run(words, set.folder, {});
    expect(without.status).toBe(1);
    const { S3_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = set.environment;
    const copied = await run(words, set.folder, { S3_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY });
    expect([copied.status, copied.stdout]).toEqual([
      0,
      expect.stringContaining("blobs are identical in both storages"),
    ]);
  });
});

function mailOf(to: string, subject: string, attached?: Buffer): Buffer {
  const head = `From: bo@example.com\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(" ", "-")}@example.com>\r\nMIME-Version: 1.0\r\n`;
  if (attached === undefined) return Buffer.from(`${head}Content-Type: text/plain\r\n\r\nHello.\r\n`);
  const lines = attached.toString("base64").replaceAll(/.{76}/g, "$&\r\n");
  return Buffer.from(
    `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHello.\r\n` +
      `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=bytes.bin\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${lines}\r\n--b--\r\n`,
  );
}
