import { addressGroup } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { streamBody } from "../request/body.ts";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { requestHeader } from "../request/request-header.ts";
import { createTurns } from "../request/turns.ts";
import { createUploadPlaces } from "../request/upload-places.ts";
import { fileAnswer } from "./answer.ts";

const PATH = "/api/v1/uploads";
const FILES = "/api/v1/files";

/**
 * Mounts `PUT /api/v1/uploads?word=…`, the address of an upload, and `GET /api/v1/files?word=…`, that of a file: who has
 * the word needs no key. It is in the query, which is never logged.
 */
export function mountUploads(app: Hono<ServerEnv>, { letterslot, clientAddress }: ServerState): void {
  const places = createUploadPlaces();
  const inTurn = createTurns();
  app.put(PATH, async (c) => {
    const word = c.req.query("word");
    if (word === undefined) throw fail("upload_not_found");
    const address = clientAddress(c);
    const free = places.take(address === null ? null : addressGroup(address));
    try {
      const declared = requestHeader(c, "content-length");
      const declared_bytes = declared === undefined ? undefined : Number(declared);
      const bytes = inTurn(streamBody(c));
      return c.json(await letterslot.receiveUpload({ word, declared_bytes, bytes }));
    } finally {
      free();
    }
  });
  refuseOtherMethods(app, PATH);

  app.get(FILES, async (c) => {
    const word = c.req.query("word");
    if (word === undefined) throw fail("file_link_not_found");
    return fileAnswer(c, await letterslot.openFile(word));
  });
  refuseOtherMethods(app, FILES);
}
