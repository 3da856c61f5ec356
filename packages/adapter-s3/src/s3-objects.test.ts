import { hash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { objectsKit } from "@letterslot/core/conformance";
import { LetterslotError } from "@letterslot/core/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { S3_KEY, type S3Server, startS3Server } from "../test/s3-server.ts";
import { createS3Objects, type S3ObjectsOptions } from "./s3-objects.ts";

/** A secret that must never appear in a log when its key is refused. */
const WRONG_SECRET = "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY";
/** Retries soon; a machine that is busy has time enough. */
const PATIENT = { tryTimeoutMs: 10_000, timeoutMs: 60_000, retryMs: 10 };
/** Gives up soon. */
const QUICK = { tryTimeoutMs: 200, timeoutMs: 600, retryMs: 10 };

describe("objects in a bucket", () => {
  objectsKit({
    test,
    async open() {
      const server = await startS3Server();
      const access = { ...server.access, ...PATIENT };
      return {
        objects: createS3Objects(access),
        stranger: createS3Objects({ ...access, secretAccessKey: WRONG_SECRET }),
        elsewhere: createS3Objects({ ...access, url: access.url.replace("s3://mail/", "s3://elsewhere/") }),
        secrets: [WRONG_SECRET, S3_KEY.secretAccessKey, "AWS4-HMAC-SHA256", "Signature="],
        damage: (name, bytes) => writeFile(server.fileOf(`letters/${name}`), bytes),
        close: server.close,
      };
    },
  });
});

describe("a store", () => {
  let server: S3Server;

  beforeEach(async () => {
    server = await startS3Server();
  });
  afterEach(() => server.close());

  const open = (options: Partial<S3ObjectsOptions> = {}) =>
    createS3Objects({ ...server.access, ...PATIENT, ...options });
  const bytes = randomBytes(100_000);
  const object = { name: "ab/one", sha256: hash("sha256", bytes, "hex"), size_bytes: bytes.length };
  const PATH = "/mail/letters/ab/one";

  /** Answers so many requests with `answer`, and lets the others through. */
  const disturb = (times: number, answer: (response: ServerResponse) => unknown) => {
    server.intercept((request, response) => {
      if (times-- <= 0) return false;
      request.resume();
      answer(response);
      return true;
    });
  };
  const why = async (call: Promise<unknown>): Promise<string> => {
    const error = await call.then(
      () => expect.unreachable(),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(LetterslotError);
    expect(error).toMatchObject({ code: "storage_unavailable" });
    return ((error as Error).cause as Error).message;
  };
  const status =
    (code: number, text = "") =>
    (response: ServerResponse) =>
      response.writeHead(code).end(text);

  test("gets what an object is: its path, its hash, its size", async () => {
    let seen: Record<string, unknown> = {};
    server.intercept(({ headers }) => {
      seen = headers;
      return false;
    });
    await open().put(object, bytes);
    expect(server.requests).toEqual([`PUT ${PATH}`]);
    expect(seen).toMatchObject({ "x-amz-content-sha256": object.sha256, "content-length": "100000" });
    expect(seen["authorization"]).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDLETTERSLOT\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=[a-z0-9;-]*\bx-amz-content-sha256\b/,
    );
    expect(seen).not.toHaveProperty("x-amz-server-side-encryption");
  });

  test.each([
    ["AES256", { "x-amz-server-side-encryption": "AES256" }],
    [
      "aws:kms&kms_key=alias/mail",
      {
        "x-amz-server-side-encryption": "aws:kms",
        "x-amz-server-side-encryption-aws-kms-key-id": "alias/mail",
      },
    ],
  ])("is told to encrypt with %s, under the signature", async (encryption, expected) => {
    let seen: Record<string, unknown> = {};
    server.intercept(({ headers }) => {
      seen = headers;
      return false;
    });
    await open({ url: `${server.access.url}&encryption=${encryption}` }).put(object, bytes);
    expect(seen).toMatchObject(expected);
    for (const name of Object.keys(expected)) expect(String(seen["authorization"])).toContain(name);
  });

  test.each([
    ["a wrong secret", { secretAccessKey: WRONG_SECRET }, "403 SignatureDoesNotMatch"],
    ["an unknown key", { accessKeyId: "NOBODY" }, "403 InvalidAccessKeyId"],
  ])(
    "that refuses %s is asked once, and its answer is said without what was signed",
    async (_, options, answer) => {
      const refused = open(options);
      expect(await why(refused.get(object))).toBe(`The object store answered ${answer}.`);
      expect(await why(refused.put(object, bytes))).toBe(`The object store answered ${answer}.`);
      expect(server.requests).toHaveLength(2);
    },
  );

  test("without the bucket is not a store without the object", async () => {
    const elsewhere = open({ url: server.access.url.replace("s3://mail/", "s3://elsewhere/") });
    expect(await why(elsewhere.get(object))).toBe("The object store answered 404 NoSuchBucket.");
  });

  test("whose 404 doesn't say that the object is missing is no answer", async () => {
    disturb(9, status(404, "<html>Not Found</html>"));
    expect(await why(open().get(object))).toBe("The object store answered 404.");
  });

  test.each([500, 502, 503, 504, 429, 408])("that answers %i is asked again", async (code) => {
    disturb(2, status(code));
    await open().put(object, bytes);
    disturb(1, status(code));
    expect((await open().get(object))?.length).toBe(bytes.length);
    disturb(1, status(code));
    await open().delete(object.name);
    expect(server.requests).toHaveLength(7);
  });

  test("that keeps answering 503 is asked five times", async () => {
    disturb(1_000, status(503, "<Error><Code>SlowDown</Code></Error>"));
    expect(await why(open().put(object, bytes))).toBe("The object store answered 503 SlowDown.");
    expect(server.requests).toHaveLength(5);
  });

  test("that breaks the connection is asked again", async () => {
    disturb(2, (response) => response.destroy());
    await open().put(object, bytes);
    expect(server.requests).toHaveLength(3);
  });

  test("that hangs is left after a try's time, and asked again", async () => {
    await open().put(object, bytes);
    disturb(1, () => undefined);
    expect((await open({ tryTimeoutMs: 1_000 }).get(object))?.length).toBe(bytes.length);
  });

  test("that hangs for good fails within the time for all tries", async () => {
    disturb(1_000, () => undefined);
    const started = performance.now();
    expect(await why(open(QUICK).delete(object.name))).toBe("The object store didn't answer in time.");
    expect(performance.now() - started).toBeGreaterThan(QUICK.timeoutMs - 200);
    expect(server.requests.length).toBeLessThan(5);
  });

  test("that stops in the middle of an object is asked again", async () => {
    await open().put(object, bytes);
    disturb(1, (response) => {
      response.writeHead(200, { "content-length": bytes.length });
      response.write(bytes.subarray(0, 50_000), () => response.destroy());
    });
    expect(Buffer.compare((await open().get(object)) ?? Buffer.alloc(0), bytes)).toBe(0);
  });

  test("that sends half of an object as if it were whole is asked again", async () => {
    await open().put(object, bytes);
    disturb(1, (response) => response.end(bytes.subarray(0, 50_000)));
    expect(Buffer.compare((await open().get(object)) ?? Buffer.alloc(0), bytes)).toBe(0);
  });

  test("that sends other bytes for good fails, and they are not given out", async () => {
    disturb(1_000, (response) => response.end(randomBytes(bytes.length)));
    expect(await why(open(QUICK).get(object))).toBe(
      "The object store sent bytes that don't match their hash.",
    );
  });

  test("that never stops sending is cut off", async () => {
    let sent = 0;
    disturb(1_000, (response) => {
      const more = () => {
        while (!response.destroyed && response.write(bytes)) sent += bytes.length;
      };
      response.on("drain", more);
      more();
    });
    expect(await why(open(QUICK).get(object))).toBe("The object store sent more than was asked for.");
    expect(sent).toBeLessThan(200_000_000);
  });

  test("that points elsewhere isn't followed", async () => {
    const other = await startS3Server();
    disturb(9, (response) => response.writeHead(307, { location: `${other.endpoint}${PATH}` }).end());
    expect(await why(open().put(object, bytes))).toBe("The object store answered 307.");
    expect(other.requests).toEqual([]);
    await other.close();
  });

  test("that isn't there fails within the time for all tries", async () => {
    const gone = await startS3Server();
    await gone.close();
    expect(await why(open({ ...QUICK, url: gone.access.url }).get(object))).toMatch(
      /^The object store can't be reached: /,
    );
  });

  test("whose refusal is endless or strange is still a refusal", async () => {
    disturb(1, status(403, `<Error><Code>${"A".repeat(65)}</Code></Error>`));
    expect(await why(open().get(object))).toBe("The object store answered 403.");
    disturb(1, status(403, "<Error><Code>Access Denied\r\nx</Code></Error>"));
    expect(await why(open().get(object))).toBe("The object store answered 403.");
  });

  test("has the key of a bucket nowhere in what fails", async () => {
    const url = "s3://mail?endpoint=http://store.example";
    expect(() =>
      createS3Objects({ url, accessKeyId: S3_KEY.accessKeyId, secretAccessKey: WRONG_SECRET }),
    ).toThrow(/^(?!.*wJalr)/);
  });
});
