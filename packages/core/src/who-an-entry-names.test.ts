import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, provenDomain, type TestAccount, type TestService } from "../testing/index.ts";
import type { Inbox } from "./model/inboxes.ts";

const FIRM = "firm.test";
const BOB = `bob@${FIRM}`;
const SENT_ONLY = { mail: { receiving: false, sending: true } };
const HERE = { mail: { receiving: true, sending: true } };

let service: TestService;
let reader: TestAccount;
/** The account whose agent has the firm's domain. */
let firm: TestAccount;
beforeEach(async () => {
  service = createTestService();
  reader = await service.signUp("reader");
  firm = await service.signUp("firm");
});

const own = (mail = SENT_ONLY) =>
  provenDomain(service.letterslot.services, firm.account_id, { domain: FIRM, ...mail });
const bob = () => firm.as.inboxes.create({ username: "bob", domain: FIRM });
const trust = (address: string, { as, inbox } = reader) =>
  as.allowlist.create({ inbox_id: inbox.id, address });
const mail = async ({ id }: Pick<Inbox, "id">, to = reader.inbox.email, { as } = firm) => {
  await as.messages.send({ inbox_id: id, to: [to], subject: "Do it", text: "Please do it." });
  await service.work();
};
const outside = (from = BOB) => service.receive({ from, to: reader.inbox.email, subject: "Outside" });
const subjects = async ({ as } = reader) =>
  (await as.tasks.list({})).data
    .map(({ subject, trusted }): [string, boolean] => [subject, trusted])
    .sort(([one], [other]) => one.localeCompare(other));
const mails = async ({ as, inbox } = reader) =>
  (await as.messages.list({ inbox_id: inbox.id, direction: "inbound" })).data.map(({ from }) => from);

describe("an entry of the allowlist", () => {
  test.each([BOB, FIRM])("for %s outside is not for an inbox that comes to be there", async (address) => {
    await trust(address);
    await own();
    await mail(await bob());
    expect(await subjects()).toEqual([]);
    expect(await mails()).toEqual([BOB]);
    await outside();
    expect(await subjects()).toEqual([["Outside", true]]);
  });

  test.each([BOB, FIRM])(
    "for %s is not for an inbox there whose mail comes in elsewhere",
    async (address) => {
      await own();
      const inbox = await bob();
      await trust(address);
      await mail(inbox);
      expect(await subjects()).toEqual([]);
    },
  );

  test("for an inbox is for that very inbox, and for nobody outside", async () => {
    await own(HERE);
    const inbox = await bob();
    await trust(BOB);
    await mail(inbox);
    expect(await subjects()).toEqual([["Do it", true]]);
    await outside();
    await firm.as.inboxes.delete({ inbox_id: inbox.id, permanent: true });
    await mail(await bob());
    expect(await subjects()).toEqual([["Do it", true]]);
    // Adding the entry again updates whom it names.
    expect(await trust(BOB)).toMatchObject({ idempotent: true });
    await mail(await firm.as.inboxes.get({ inbox_id: BOB }));
    expect(await subjects()).toEqual([
      ["Do it", true],
      ["Do it", true],
    ]);
  });

  test("for an inbox at the service's own domain is for it, and its domain for none", async () => {
    await trust(firm.inbox.email);
    await mail(firm.inbox);
    expect(await subjects()).toEqual([["Do it", true]]);
    const other = await service.signUp("other");
    await trust("letterslot.localhost", other);
    await mail(firm.inbox, other.inbox.email);
    expect(await subjects(other)).toEqual([]);
  });

  test.each([BOB, FIRM])("for %s is for an inbox at a domain of the same root account", async (address) => {
    const domain = await own();
    const inbox = await bob();
    const workspace = await firm.as.workspaces.create({ name: "Part", inbox_quota: 3 });
    const { workspaces } = firm.as;
    expect(workspaces).toBeDefined();
    const part = service.letterslot.as(await service.letterslot.authenticate(workspace.api_key ?? "", null));
    const own_inbox = await part.inboxes.create({ username: "part" });
    await service.letterslot.services.storage.update(
      "domains",
      { id: domain.id },
      { workspace_ids: [workspace.id] },
    );
    await trust(address, firm);
    await part.allowlist.create({ inbox_id: own_inbox.id, address });
    await mail(inbox, firm.inbox.email);
    await mail(inbox, own_inbox.email);
    expect(await subjects(firm)).toEqual([["Do it", true]]);
    expect((await part.tasks.list({})).data).toMatchObject([{ trusted: true }]);
  });

  test("is not shown with whom it names", async () => {
    const entry = await trust(firm.inbox.email);
    expect(JSON.stringify(entry)).not.toContain(firm.inbox.id);
  });
});

describe("a list of whom mail is taken from", () => {
  const list = (type: "allow" | "block", entry: string) =>
    reader.as.lists.create({ direction: "receive", type, entry });

  test.each([BOB, FIRM])("that allows %s outside does not allow an inbox there", async (entry) => {
    await list("allow", entry);
    await own();
    await mail(await bob());
    expect(await mails()).toEqual([]);
    expect((await reader.as.events.list({ types: ["message.blocked"] })).data).toHaveLength(1);
    await outside();
    expect(await mails()).toEqual([BOB]);
  });

  test("that allows an inbox allows that very inbox", async () => {
    await own(HERE);
    const inbox = await bob();
    await list("allow", BOB);
    await mail(inbox);
    expect(await mails()).toEqual([BOB]);
    await firm.as.inboxes.delete({ inbox_id: inbox.id, permanent: true });
    await mail(await bob());
    expect(await mails()).toEqual([BOB]);
    await list("allow", BOB);
    await mail(await firm.as.inboxes.get({ inbox_id: BOB }));
    expect(await mails()).toEqual([BOB, BOB]);
  });

  test.each([BOB, FIRM])("that blocks %s blocks whoever has the address", async (entry) => {
    await list("block", entry);
    await own();
    await mail(await bob());
    await outside();
    expect(await mails()).toEqual([]);
  });

  test("of whom may be written to is for whoever has the address", async () => {
    await reader.as.lists.create({ direction: "send", type: "allow", entry: BOB });
    await own(HERE);
    const inbox = await bob();
    await mail(reader.inbox, BOB, reader);
    expect((await firm.as.messages.list({ inbox_id: inbox.id })).data).toHaveLength(1);
  });
});
