import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { run } from "./run-command.ts";

/** A package registry on this machine. */
export interface LocalRegistry {
  url: string;
  close(): void;
}

/**
 * Serves tarballs to npm, yarn and bun as a registry does, so that they are installed by name, as they will be
 * once they are published. What isn't ours is asked of the configured registry.
 */
export async function startLocalRegistry(tarballs: readonly string[]): Promise<LocalRegistry> {
  const documents = new Map<string, (url: string) => object>();
  const files = new Map<string, Buffer>();
  for (const tarball of tarballs) {
    const manifest = JSON.parse(
      await run("tar", ["-xzOf", tarball, "package/package.json"], { quiet: true }),
    ) as { name: string; version: string };
    const bytes = readFileSync(tarball);
    files.set(`/${basename(tarball)}`, bytes);
    documents.set(`/${manifest.name}`, (url) => documentOf(manifest, bytes, `${url}/${basename(tarball)}`));
  }
  const others =
    (await run("npm", ["config", "get", "registry"], { quiet: true })).trim().split("\n").at(-1) ?? "";
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", url).pathname);
    const [file, document] = [files.get(path), documents.get(path)];
    if (file !== undefined) return response.end(file);
    if (document === undefined)
      return response.writeHead(302, { location: `${others.replace(/\/$/, "")}${request.url ?? "/"}` }).end();
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document(url)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns a registry's document about a package with one version. */
function documentOf(manifest: { name: string; version: string }, bytes: Buffer, tarball: string): object {
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const shasum = createHash("sha1").update(bytes).digest("hex");
  return {
    name: manifest.name,
    "dist-tags": { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist: { tarball, integrity, shasum } } },
  };
}
