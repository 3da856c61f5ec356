import { hash } from "node:crypto";
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
      headers?: Record<string, string>;
      body?: Uint8Array<ArrayBuffer>;
    },
    size_bytes: number,
    read: (answer: Answer) => Promise<T>,
  ): Promise<T> => {
    const { method, name, headers = {}, body } = request;
    const url = urlOf(name);
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

  return {
    put({ name, sha256, size_bytes }, bytes) {
      const headers = {
        [SHA256]: sha256,
        "content-type": "application/octet-stream",
        ...encryptionHeaders(address),
      };
      const body = bytes as Uint8Array<ArrayBuffer>;
      return ask({ method: "PUT", name, headers, body }, size_bytes, async (answer) => {
        if (!answer.ok) throw await answer.refusal();
        await answer.finished();
      });
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
    delete(name) {
      return ask({ method: "DELETE", name }, 0, async (answer) => {
        if (answer.ok) return answer.finished();
        const refusal = await answer.refusal();
        if (refusal.code !== "NoSuchKey") throw refusal;
      });
    },
  };
}

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
  if (hash("sha256", bytes, "hex") !== sha256)
    throw new StoreUnreachable("The object store sent bytes that don't match their hash.");
  return bytes;
}
