import { createHash, hash } from "node:crypto";
import { fail, type ObjectIdentity, type Objects } from "@letterslot/core/ports";
import { AwsV4Signer } from "aws4fetch";
import { readS3Url, type S3Address } from "./s3-address.ts";
import { StoreUnreachable } from "./s3-errors.ts";
import { type Answer, type Bounds, sendWithRetries } from "./s3-request.ts";

/** The bucket and the credentials. */
export interface S3ObjectsOptions {
  /** `s3://bucket/prefix?endpoint=…&region=…&encryption=…&kms_key=…` */
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Time limit for one attempt, besides the time for its bytes. Default: 5,000. */
  tryTimeoutMs?: number;
  /** Time limit for all attempts together, besides the time for their bytes. Default: 20,000. */
  timeoutMs?: number;
  /** The delay after the first failed attempt, doubled after each further one. Default: 100. */
  retryMs?: number;
}

const NAME = /^(?=.{1,200}$)[A-Za-z0-9-]+(?:\/[A-Za-z0-9-]+)*$/;
/** The slowest line on which large objects get through. */
const BYTES_PER_MS = 500;

/** Objects in a bucket of a store that speaks S3. Throws when the URL is not valid. */
export function createS3Objects(options: S3ObjectsOptions): Objects {
  const {
    tryTimeoutMs: try_timeout_ms = 5_000,
    timeoutMs: timeout_ms = 20_000,
    retryMs: retry_ms = 100,
  } = options;
  const address = readS3Url(options.url);

  const urlOf = (name: string): string => {
    if (!NAME.test(name)) throw new Error("the name of an object is not valid");
    return `${address.bucket_url}/${address.prefix}${name}`;
  };
  const bounds = (size_bytes: number): Bounds => ({
    try_ms: try_timeout_ms + size_bytes / BYTES_PER_MS,
    all_ms: timeout_ms + size_bytes / BYTES_PER_MS,
    retry_ms,
  });
  const ask = async <T>(
    request: {
      method: string;
      name: string;
      query?: string;
      headers?: Record<string, string>;
      body?: Uint8Array<ArrayBuffer>;
    },
    size_bytes: number,
    read: (answer: Answer) => Promise<T>,
  ): Promise<T> => {
    const { method, name, query = "", headers = {}, body } = request;
    const url = urlOf(name) + query;
    try {
      return await sendWithRetries(bounds(size_bytes), {
        send: async (signal) => {
          const signed = await sign(options, address, {
            method,
            url,
            headers,
            sha256: headers[SHA256] ?? NO_BYTES,
          });
          // Redirects are not followed: the bytes are for this store alone.
          return fetch(url, { ...signed, ...(body && { body }), redirect: "manual", signal });
        },
        read,
      });
    } catch (error) {
      throw fail("storage_unavailable", { cause: error });
    }
  };

  const put: Objects["put"] = ({ name, sha256, size_bytes }, bytes) => {
    const headers = {
      [SHA256]: sha256,
      "content-type": "application/octet-stream",
      ...encryptionHeaders(address),
    };
    const body = bytes as Uint8Array<ArrayBuffer>;
    return ask({ method: "PUT", name, headers, body }, size_bytes, done);
  };

  const begin = (name: string): Promise<string> => {
    const headers = { "content-type": "application/octet-stream", ...encryptionHeaders(address) };
    return ask({ method: "POST", name, query: "?uploads=", headers }, 0, async (answer) => {
      if (!answer.ok) throw await answer.refusal();
      const [, id] = /<UploadId>([^<>&]{1,1000})<\/UploadId>/.exec(await answer.text()) ?? [];
      if (id === undefined) throw new StoreUnreachable("The object store began no upload.");
      return id;
    });
  };
  const putPart = (name: string, id: string, number: number, part: Buffer): Promise<string> => {
    const query = `?partNumber=${number}&uploadId=${encodeURIComponent(id)}`;
    const body = part as Uint8Array<ArrayBuffer>;
    const headers = { [SHA256]: hash("sha256", part, "hex") };
    return ask({ method: "PUT", name, query, headers, body }, part.length, async (answer) => {
      if (!answer.ok) throw await answer.refusal();
      await answer.finished();
      const tag = answer.header("etag");
      if (tag === null) throw new StoreUnreachable("The object store didn't confirm a part.");
      return tag;
    });
  };
  const complete = (name: string, id: string, tags: readonly string[]): Promise<void> => {
    const parts = tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${xmlText(tag)}</ETag></Part>`,
    );
    const xml = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const body = new TextEncoder().encode(xml);
    const headers = { [SHA256]: hash("sha256", body, "hex"), "content-type": "application/xml" };
    const query = `?uploadId=${encodeURIComponent(id)}`;
    return ask({ method: "POST", name, query, headers, body }, COMPLETED_BYTES, async (answer) => {
      if (!answer.ok) throw await answer.refusal();
      // The store may find out that it can't only after it has answered 200.
      if ((await answer.text()).includes("<Error>"))
        throw new StoreUnreachable("The object store didn't put the parts together.");
    });
  };
  /** Ends an upload that failed. If that fails too, the bucket's lifecycle rule removes its parts; the first error is told. */
  const abandon = (name: string, id: string): Promise<void> => {
    const query = `?uploadId=${encodeURIComponent(id)}`;
    return ask({ method: "DELETE", name, query }, 0, done).catch(() => undefined);
  };

  /** Some bytes of an object; undefined if there is none. A name is never written twice with other bytes. */
  const getPart = ({ name, size_bytes }: ObjectIdentity, at: number): Promise<Uint8Array | undefined> => {
    const length = Math.min(PART_BYTES, size_bytes - at);
    // The whole of a small one: an empty range is an error. To a range fetch itself adds that it isn't compressed.
    const headers: Record<string, string> =
      length === size_bytes ? { "accept-encoding": "identity" } : { range: `bytes=${at}-${at + length - 1}` };
    return ask({ method: "GET", name, headers }, length, async (answer) => {
      if (answer.ok) {
        const bytes = await answer.bytes(length);
        if (bytes.length === length) return bytes;
        throw new StoreUnreachable("The object store sent another part than was asked for.");
      }
      const refusal = await answer.refusal();
      if (refusal.code === "NoSuchKey") return undefined;
      throw refusal;
    });
  };
  async function* partsOf(object: ObjectIdentity, first: Uint8Array): AsyncGenerator<Uint8Array> {
    const counted = createHash("sha256");
    let part: Uint8Array = first;
    for (let at = 0; ; ) {
      counted.update(part);
      at += part.length;
      // Damaged bytes are never whole.
      if (at >= object.size_bytes) break;
      yield part;
      const next = await getPart(object, at);
      if (next === undefined)
        throw fail("storage_unavailable", { cause: new Error("An object was deleted while it was read.") });
      part = next;
    }
    if (counted.digest("hex") !== object.sha256)
      throw fail("storage_unavailable", { cause: new StoreUnreachable(OTHER_BYTES) });
    yield part;
  }

  return {
    put,
    async putStream(name, source) {
      const parts = inParts(source);
      const first = (await parts.next()).value ?? Buffer.alloc(0);
      // All parts but the last must have their size.
      if (first.length < PART_BYTES)
        return put({ name, sha256: hash("sha256", first, "hex"), size_bytes: first.length }, first);
      const id = await begin(name);
      try {
        const tags = [await putPart(name, id, 1, first)];
        for await (const part of parts) tags.push(await putPart(name, id, tags.length + 1, part));
        await complete(name, id, tags);
      } catch (error) {
        await abandon(name, id);
        throw error;
      }
    },
    get(object) {
      const { name, size_bytes } = object;
      // Uncompressed: a proxy might compress responses otherwise.
      const headers = { "accept-encoding": "identity" };
      return ask({ method: "GET", name, headers }, size_bytes, async (answer) => {
        if (answer.ok) return checked(object, await answer.bytes(size_bytes));
        const refusal = await answer.refusal();
        // A bucket that is missing is no object that is missing.
        if (refusal.code === "NoSuchKey") return undefined;
        throw refusal;
      });
    },
    async getStream(object) {
      // Part by part, so that whoever reads slowly holds no connection to the store.
      const first = await getPart(object, 0);
      return first && partsOf(object, first);
    },
    delete(name) {
      return ask({ method: "DELETE", name }, 0, async (answer) => {
        if (answer.ok) return answer.finished();
        const refusal = await answer.refusal();
        if (refusal.code !== "NoSuchKey") throw refusal;
      });
    },
  };
}

/** The smallest part that S3 takes, and so as much as is in memory of an object. */
const PART_BYTES = 5 * 1024 * 1024;
/** A store may copy the parts of the largest object before it answers. */
const COMPLETED_BYTES = 25 * 1024 * 1024;

async function done(answer: Answer): Promise<void> {
  if (!answer.ok) throw await answer.refusal();
  await answer.finished();
}

async function* inParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let part = Buffer.allocUnsafe(PART_BYTES);
  let filled = 0;
  for await (const piece of source)
    for (let at = 0; at < piece.byteLength; ) {
      const taken = piece.subarray(at, at + PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.byteLength;
      at += taken.byteLength;
      if (filled < PART_BYTES) continue;
      yield part;
      [part, filled] = [Buffer.allocUnsafe(PART_BYTES), 0];
    }
  if (filled > 0) yield part.subarray(0, filled);
}

const OTHER_BYTES = "The object store sent bytes that don't match their hash.";

const xmlText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const SHA256 = "x-amz-content-sha256";
const NO_BYTES = hash("sha256", new Uint8Array(), "hex");

/** Signature Version 4 over the method, the URL, the headers and the hash of the body. */
async function sign(
  { accessKeyId: access_key_id, secretAccessKey: secret_access_key }: S3ObjectsOptions,
  { region }: S3Address,
  request: { method: string; url: string; headers: Record<string, string>; sha256: string },
) {
  const { method, url, sha256 } = request;
  const headers = { ...request.headers, [SHA256]: sha256 };
  const credentials = { accessKeyId: access_key_id, secretAccessKey: secret_access_key };
  const signed = await new AwsV4Signer({
    method,
    url,
    headers,
    ...credentials,
    service: "s3",
    region,
  }).sign();
  return { method, headers: signed.headers };
}

function encryptionHeaders({ encryption }: S3Address): Record<string, string> {
  if (encryption === undefined) return {};
  return {
    "x-amz-server-side-encryption": encryption.algorithm,
    ...(encryption.kms_key && { "x-amz-server-side-encryption-aws-kms-key-id": encryption.kms_key }),
  };
}

/** Bytes damaged in transit are fetched again; those that stay damaged are never returned. */
function checked({ sha256, size_bytes }: ObjectIdentity, bytes: Uint8Array): Uint8Array {
  if (bytes.length !== size_bytes)
    throw new StoreUnreachable("The object store sent an object of another size.");
  if (hash("sha256", bytes, "hex") !== sha256) throw new StoreUnreachable(OTHER_BYTES);
  return bytes;
}
