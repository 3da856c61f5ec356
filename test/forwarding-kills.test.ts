import { expect, test } from "vitest";
import { createMemoryStorage, createTestService } from "../packages/core/testing/index.ts";
import { createMortalStorage } from "./support/mortal-storage.ts";

const BO = "bo@elsewhere.example";

test("a process that dies at any moment of forwarding leaves exactly one forwarded mail", async () => {
  let died = true;
  for (let call = 1; died; call++) {
    const mortal = createMortalStorage(createMemoryStorage());
    const service = createTestService({ storage: mortal.storage });
    const { as, account_id, inbox } = await service.signUp("ada");
    await service.letterslot.operator.accounts.authority.give({ account_id, email: "grace@family.example" });
    const person = service.letterslot.asOwner({ email: "grace@family.example", account_id });
    const { id } = await person.forwarding.create({ inbox_id: inbox.id, email: BO, everything: true });
    await service.work();
    const { storage } = service.letterslot.services;
    await storage.update("forwardings", { id }, { status: "verified", decided_by: "grace@family.example" });
    await storage.update("inboxes", { id: inbox.id }, { forwards_all: true });
    await service.receive({ from: "al@shop.example", to: inbox.email, subject: "Sale", text: "Buy." });
    mortal.dieBefore(call);
    // Whatever was under way when it died may fail.
    await service.work().catch(() => undefined);
    died = mortal.revive();
    // The dead one's lease ends, and whoever lives does the job.
    for (let round = 0; round < 2; round++) {
      await service.clock.advance(3600_000);
      await service.work();
    }
    const { data } = await as.messages.list({ inbox_id: inbox.id });
    const forwarded = data.filter(({ labels }) => labels.includes("forwarded"));
    expect(forwarded, `died before call ${call}`).toMatchObject([{ to: [BO], status: "sent" }]);
  }
}, 120_000);
