import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { serveCalls } from "../measure/program.ts";

const PIECE_BYTES = 1_048_576;
const piece = randomBytes(PIECE_BYTES);

/** A client that sends and reads whole files, each over a connection of its own. */
export const calls = {
  /** Sends a file to each address, all at once. Returns the milliseconds of each. */
  put: ({ urls, bytes }: { urls: readonly string[]; bytes: number }) =>
    Promise.all(urls.map((url) => timed(() => put(url, bytes)))),
  /** Reads a file; returns the milliseconds. */
  get: ({ url }: { url: string }) => timed(() => get(url)),
};

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const put = (url: string, bytes: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const sending = request(url, { method: "PUT", agent: false, headers: { "content-length": bytes } });
    sending.on("error", reject);
    sending.on("response", (response) => {
      response.resume();
      if (response.statusCode === 200) response.on("end", resolve);
      else reject(new Error(`${url}: ${response.statusCode}`));
    });
    // No two files are alike: the same bytes would be stored once.
    sending.write(randomBytes(16));
    let left = bytes - 16;
    const more = () => {
      while (left > 0) {
        const next = piece.subarray(0, Math.min(left, piece.length));
        left -= next.length;
        if (!sending.write(next)) return void sending.once("drain", more);
      }
      sending.end();
    };
    more();
  });

const get = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asking = request(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url}: ${response.statusCode}`));
      response.resume().on("end", resolve).on("error", reject);
    });
    asking.on("error", reject);
    asking.end();
  });

serveCalls(calls);
