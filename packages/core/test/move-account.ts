import { expect } from "vitest";
import { type ExportProgress, exportAccount } from "../src/account/export/export-account.ts";
import { importAccount } from "../src/account/export/import/import-account.ts";
import { createTestService, type TestService } from "../testing/index.ts";

/**
 * Exports an account, and imports it into a service of its own; answers with what was exported, and a caller there.
 * `interrupted`: what happens there when the import has brought the messages in and breaks off, before it is begun again.
 */
export async function moveAccount(
  { letterslot }: TestService,
  account_id: string,
  interrupted?: (there: TestService) => Promise<void>,
) {
  const files = new Map<string, Buffer>();
  for await (const { name, content } of exportAccount(letterslot.services, account_id, {
    held_content: true,
  })) {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    files.set(name, Buffer.concat(pieces));
  }
  const there = createTestService();
  const archive = {
    async *files() {
      for (const [name, content] of files)
        yield { name, size: content.length, read: async () => only(content) };
    },
  };
  if (interrupted !== undefined) {
    const progress = ({ step, what }: ExportProgress) => {
      if (step === "importing" && what === "messages") throw new Error("interrupted");
    };
    const broken = importAccount(there.letterslot.services, archive, { progress });
    await expect(broken).rejects.toThrow("interrupted");
    await interrupted(there);
  }
  const { api_key } = await importAccount(there.letterslot.services, archive, {});
  const as = there.letterslot.as(await there.letterslot.authenticate(api_key ?? "", null));
  return { files, there, as };
}

async function* only(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
