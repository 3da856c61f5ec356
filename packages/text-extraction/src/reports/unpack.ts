import { once } from "node:events";
import { createGunzip } from "node:zlib";
import { LIMITS } from "@letterslot/core/ports";
import { countInflation, type Limits, tooLarge } from "../limits.ts";
import { walkZip } from "../office/walk-zip.ts";

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from("PK\u0003\u0004");

/**
 * The text of a report's file: gzip, a zip of one file, or plain, told by its bytes. What it holds isn't unpacked again.
 * Fails with an error for `refusalOf` above a limit.
 */
export async function unpackReport(bytes: Uint8Array, limits: Limits): Promise<string> {
  const within = { ...limits, inflated_bytes: LIMITS.domain_report_bytes };
  const head = Buffer.from(bytes.subarray(0, 4));
  if (head.subarray(0, 2).equals(GZIP)) return textOf(await gunzip(bytes, within));
  if (head.equals(ZIP)) return textOf(await unzip(bytes, within));
  if (bytes.length > within.inflated_bytes) throw tooLarge("report");
  return textOf([bytes]);
}

async function gunzip(bytes: Uint8Array, limits: Limits): Promise<Uint8Array[]> {
  const count = countInflation(limits, bytes.length);
  const gunzipping = createGunzip();
  const pieces: Uint8Array[] = [];
  gunzipping.on("data", (piece: Buffer) => {
    try {
      count.add(piece.length);
      pieces.push(piece);
    } catch (error) {
      gunzipping.destroy(error as Error);
    }
  });
  const ended = once(gunzipping, "end");
  gunzipping.end(bytes);
  await ended;
  count.end();
  return pieces;
}

async function unzip(bytes: Uint8Array, limits: Limits): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let files = 0;
  await walkZip(bytes, limits, () => {
    files += 1;
    if (files > 1) throw new Error("more than one file in the archive of a report");
    return (piece) => void pieces.push(piece);
  });
  return pieces;
}

const textOf = (pieces: readonly Uint8Array[]): string => new TextDecoder().decode(Buffer.concat(pieces));
