import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A file of the site, compressed with gzip. */
export interface SiteFile {
  gzipped: Uint8Array<ArrayBuffer>;
  etag: string;
}

/** The built site. */
export interface Site {
  /** The hash of what it was built from. */
  source: string;
  /** The hashes of the scripts within its pages, as a policy names them. */
  script_hashes: string[];
  files: ReadonlyMap<string, SiteFile>;
}

/** The first line of the packed site, before its files. */
export interface SiteIndex {
  source: string;
  script_hashes: string[];
  /** By path: where the file begins after the first line, its length, and its ETag. */
  files: Record<string, [start: number, length: number, etag: string]>;
}

/** Where `pnpm docs` puts it; built, beside the code. */
const packed = (): URL => new URL("../../../../docs/.vitepress/site.pack", import.meta.url); // built: ./site/site.pack

/** Reads the site; undefined where nobody has built it. */
export async function readSite(): Promise<Site | undefined> {
  if (!existsSync(fileURLToPath(packed()))) return undefined;
  const bytes = await readFile(packed());
  const begin = bytes.indexOf("\n") + 1;
  const { source, script_hashes, files } = JSON.parse(bytes.toString("utf8", 0, begin)) as SiteIndex;
  const entries = Object.entries(files).map(([path, [start, length, etag]]) => {
    const gzipped = bytes.subarray(begin + start, begin + start + length);
    return [path, { gzipped, etag }] as const;
  });
  return { source, script_hashes, files: new Map(entries) };
}
