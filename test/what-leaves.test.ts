import { afterAll, expect, test } from "vitest";
import { createTestService } from "../packages/core/testing/index.ts";
import { createPatientScanner } from "./support/patient-scanner.ts";

const scanner = createPatientScanner();
afterAll(() => scanner.close());

test("secrets of others, personal data and archives wait for an owner, by their kind and place", async () => {
  const service = createTestService({ contentScanner: scanner });
  const account = await service.signUp();
  const grace = "grace@example.com";
  await service.addOwner(account, grace);
  const inbox_id = account.inbox.id;
  await account.as.inboxes.update({ inbox_id, send_mode: "guarded" });
  const reasonsOf = async (mail: Record<string, unknown>) => {
    const sent = await account.as.messages.send({ inbox_id, to: [grace], text: "x", ...mail });
    if (sent.object !== "draft") return [];
    const { reasons } = await account.as.approvals.get({ approval_id: sent.approval_id ?? "" });
    return reasons.map(({ code, detail }) => `${code}: ${detail}`);
  };
  expect(await reasonsOf({ text: "An ordinary mail about order 4711." })).toEqual([]);
  const card = await reasonsOf({ text: "Please charge my credit card number 4111 1111 1111 1111." });
  expect(card).toEqual([expect.stringMatching(/^personal_data: .+ in text$/)]);
  expect(JSON.stringify(card)).not.toContain("4111");
  const zip = { filename: "a.zip", content_base64: "UEsDBA==" };
  expect(await reasonsOf({ attachments: [zip] })).toEqual(["unscanned: a.zip"]);
});
