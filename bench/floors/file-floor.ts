import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { listen } from "../measure/listen.ts";
import { serveCalls } from "../measure/program.ts";

/** The floor for files: Node's bare HTTP server, which writes a body into a file, syncs it, and reads it back. */
export const calls = {
  /** Serves `/<name>` of a folder. */
  async listen({ folder }: { folder: string }) {
    const server = createServer((request, response) => {
      const path = join(folder, `floor-${(request.url ?? "").slice(1)}`);
      const answered =
        request.method === "GET" ? pipeline(createReadStream(path), response) : keep(request, path, response);
      answered.catch(() => response.destroy());
    });
    return { base_url: await listen(server) };
  },
};

async function keep(request: IncomingMessage, path: string, response: ServerResponse): Promise<void> {
  const file = await open(path, "w");
  for await (const piece of request) await file.write(piece as Buffer);
  await file.datasync();
  await file.close();
  response.end("{}");
}

serveCalls(calls);
