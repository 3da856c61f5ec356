import type { ReadDomainReport } from "@letterslot/core/ports";
import type { Limits } from "../limits.ts";
import { readDmarcReport } from "./dmarc-report.ts";
import { readTlsReport } from "./tls-report.ts";
import { unpackReport } from "./unpack.ts";

/** Reads the file of a report: XML is a DMARC aggregate, JSON a TLS report. Fails for all else. */
export async function readReport(bytes: Uint8Array, limits: Limits): Promise<ReadDomainReport> {
  const text = (await unpackReport(bytes, limits)).trimStart();
  return text.startsWith("{") ? readTlsReport(text) : readDmarcReport(text);
}
