// A custom storage. The port has a handful of verbs with exact promises (packages/core/src/ports/storage.ts),
// and the kit in @letterslot/core/conformance checks them (see custom-storage.test.ts). Run it with
// `node index.ts`.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestService } from "@letterslot/core/testing";
import { openFileStorage } from "./file-storage.ts";

const path = join(mkdtempSync(join(tmpdir(), "letterslot-")), "storage.jsonl");

// The test service provides the other ports, in memory.
const storage = await openFileStorage(path);
const service = createTestService({ storage });
const { inbox, api_key } = await service.signUp("ada");
await service.receive({
  from: "grace@example.org",
  to: inbox.email,
  subject: "Kept in a file",
  text: "Is it still there?",
});
await storage.close();

// Another process would find the same data: everything acknowledged is in the file.
const reopened = await openFileStorage(path);
const again = createTestService({ storage: reopened });
const agent = again.letterslot.withKey(api_key);
const { data } = await agent.search.messages({ q: "still there" });
console.log(`found after reopening: ${data.map(({ message }) => message.subject).join()}`);
await reopened.close();
