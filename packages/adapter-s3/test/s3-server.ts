import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import accounts from "@20minutes/s3rver/lib/models/account.js";

/** The one key that the server knows. */
export const S3_KEY = {
  accessKeyId: "AKIDLETTERSLOT",
  secretAccessKey: "x5Vt/9Qm+p2Lr8/Zc0Ks1NbYw7Td4HgFj6EaUoRi",
};

/** A server that speaks S3 on 127.0.0.1, with one empty bucket. It checks signatures. */
export interface S3Server {
  endpoint: string;
  bucket: string;
  /** The options for `createS3Objects`. */
  access: { url: string; accessKeyId: string; secretAccessKey: string };
  /** The file in which the server keeps an object's bytes. */
  fileOf(key: string): string;
  /** Every request that came, as `GET /bucket/name`. */
  requests: string[];
  /** Answers the next requests instead of the server, until it returns false. */
  intercept: (listener: (...args: Parameters<RequestListener>) => boolean) => void;
  close(): Promise<void>;
}

/** Starts a server on a free port; its files are deleted when it is closed. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "letterslot-s3-"));
  const bucket = "mail";
  accounts.DUMMY_ACCOUNT.createKeyPair(S3_KEY.accessKeyId, S3_KEY.secretAccessKey);
  const store = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] });
  await store.configureBuckets();
  const serve = store.callback();
  const requests: string[] = [];
  let intercepting: (...args: Parameters<RequestListener>) => boolean = () => false;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (!intercepting(request, response)) serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    bucket,
    access: { url: `s3://${bucket}/letters?endpoint=${endpoint}`, ...S3_KEY },
    fileOf: (key) => join(directory, bucket, `${key}._S3rver_object`),
    requests,
    intercept(listener) {
      intercepting = listener;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
