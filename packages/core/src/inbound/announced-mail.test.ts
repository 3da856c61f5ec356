import { beforeEach, expect, test } from "vitest";
import { buildMail, signedBy } from "../../testing/build-mail.ts";
import { createMemoryStorage } from "../../testing/memory-storage.ts";
import { createTestService, type TestAccount, type TestService } from "../../testing/service.ts";
import type { SenderFacts } from "../model/sender-facts.ts";
import type { Storage } from "../ports/storage.ts";

/** What becomes of announced transactions, in order. */
let told: string[];
let dns: PromiseWithResolvers<SenderFacts>;
let service: TestService;
let ada: TestAccount;

beforeEach(async () => {
  told = [];
  dns = Promise.withResolvers();
  const memory = createMemoryStorage();
  const storage: Storage = {
    ...memory,
    announce() {
      told.push("announced");
      const tell = (what: string) => () => void told.push(what);
      return { suspend: tell("suspended"), resume: tell("resumed"), withdraw: tell("withdrawn") };
    },
    async transaction(run, intent) {
      if (intent?.announced !== undefined) told.push("submitted");
      return memory.transaction(run, intent);
    },
  };
  service = createTestService({ storage, senderAuth: { check: () => dns.promise } });
  ada = await service.signUp("ada");
  told.length = 0;
});

const receive = (raw: Uint8Array, ...rcpt_to: string[]) =>
  service.letterslot.receive({
    raw,
    envelope: { mail_from: "bob@b.example", rcpt_to, client_ip: null, helo: null },
    origin: "smtp",
  });
const mailTo = (to: string) => buildMail({ from: "bob@b.example", to });

test("a mail is announced while it is read, but not while its sender's DNS is awaited", async () => {
  const received = receive(mailTo(ada.inbox.email), ada.inbox.email);
  await expect.poll(() => told).toEqual(["announced", "suspended"]);
  dns.resolve(signedBy("b.example"));
  expect((await received).results[0]?.outcome).toBe("stored");
  expect(told).toEqual(["announced", "suspended", "resumed", "submitted", "withdrawn"]);
});

test("a mail that nobody receives is not announced", async () => {
  const { results } = await receive(mailTo("nobody@letterslot.example"), "nobody@letterslot.example");
  expect(results[0]?.outcome).toBe("refused");
  expect(told).toEqual([]);
});

test("a mail that can't be read, or whose sender can't be checked now, is withdrawn", async () => {
  dns.resolve(signedBy("b.example"));
  const { results } = await receive(new Uint8Array(), ada.inbox.email);
  expect(results[0]?.outcome).toBe("refused");
  expect(told.at(-1)).toBe("withdrawn");
  dns = Promise.withResolvers();
  const received = receive(mailTo(ada.inbox.email), ada.inbox.email);
  await expect.poll(() => told.at(-1)).toBe("suspended");
  dns.reject(new Error("no DNS"));
  await expect(received).rejects.toThrow("no DNS");
  expect(told.at(-1)).toBe("withdrawn");
});
