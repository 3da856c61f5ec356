import { expect, test } from "vitest";
import { createTestService } from "../testing/service.ts";

type Service = ReturnType<typeof createTestService>;
type Account = Awaited<ReturnType<Service["signUp"]>>;

const HOUR_MS = 3600_000;
/** Longer than a hanging receiver or host is waited for. */
const HANGS_MS = 30_000;

const open = async (accounts: number, webhooks: number) => {
  const service = createTestService();
  const opened: Account[] = [];
  for (let number = 0; number < accounts; number++) {
    const account = await service.signUp(`agent-${number}`, `owner-${number}@owners.example`);
    opened.push(account);
    await service.clock.advance(HOUR_MS);
    for (let hook = 0; hook < webhooks; hook++)
      await account.as.webhooks.create({
        url: `https://hook-${hook}.agent-${number}.example/`,
        events: ["message.received"],
      });
  }
  const honest = await service.signUp("honest", "owner@honest.example");
  await honest.as.webhooks.create({ url: "https://honest.example/", events: ["message.received"] });
  return { service, accounts: opened, honest };
};

const receiveAll = (service: Service, accounts: readonly Account[]) =>
  Promise.all(accounts.map(({ inbox }) => service.receive({ from: "ada@sender.example", to: inbox.email })));

/** Moves the clock in small steps until `done`, and returns how long that took, at most `most`. */
const timeUntil = async (service: Service, done: () => boolean, most: number): Promise<number> => {
  for (let ms = 0; ms < most; ms += 50) {
    if (done()) return ms;
    await service.clock.advance(50);
  }
  return most;
};

/** From now on the receivers of all others but the honest account answer after that time. */
const answerAfter = (service: Service, ms: number) => {
  const { post } = service.receivers;
  service.receivers.post = async (request) => {
    if (!request.url.includes("honest"))
      await new Promise<void>((resolve) => void service.clock.after(ms, resolve));
    return post(request);
  };
};

test("200 receivers that answered before and then hang hold up neither another account's deliveries nor its mail", async () => {
  const { service, accounts, honest } = await open(4, 50);
  const stop = service.letterslot.work();
  await receiveAll(service, [...accounts, honest]);
  await timeUntil(service, () => service.receivers.posted.length === 201, 5_000);
  expect(service.receivers.posted.splice(0)).toHaveLength(201);

  answerAfter(service, HANGS_MS);
  for (let round = 0; round < 5; round++) await receiveAll(service, accounts);
  await receiveAll(service, [honest]);
  const sent = service.transport.sent.length;
  await honest.as.messages.send({
    inbox_id: honest.inbox.id,
    to: ["ada@sender.example"],
    text: "On time.",
  });
  const delivered = () => service.receivers.posted.some(({ url }) => url.includes("honest"));
  expect(
    await timeUntil(service, () => delivered() && service.transport.sent.length > sent, 10_000),
  ).toBeLessThanOrEqual(1_500);
  const stopped = stop();
  await service.clock.advance(HANGS_MS);
  await stopped;
});

test("1,000 deliveries of an account to receivers that take half a second each don't hold up another account's", async () => {
  const { service, accounts, honest } = await open(1, 50);
  answerAfter(service, 500);
  for (let round = 0; round < 20; round++) await receiveAll(service, accounts);
  await receiveAll(service, [honest]);
  const stop = service.letterslot.work();
  const delivered = () => service.receivers.posted.some(({ url }) => url.includes("honest"));
  expect(await timeUntil(service, delivered, 10_000)).toBeLessThanOrEqual(1_500);
  expect(await timeUntil(service, () => service.receivers.posted.length === 1_001, 60_000)).toBeLessThan(
    30_000,
  );
  await stop();
});

test("200 mails of an account to hosts that hang hold up neither another account's mail nor letters to its own people", async () => {
  const { service, accounts, honest } = await open(1, 0);
  const { send } = service.transport;
  service.transport.send = async (mail) => {
    if (mail.envelope.rcpt_to.some((recipient) => recipient.endsWith("@hangs.example")))
      await new Promise<void>((resolve) => void service.clock.after(HANGS_MS, resolve));
    return send(mail);
  };
  const [account] = accounts;
  if (account === undefined) throw new Error("no account");
  for (let number = 0; number < 200; number++)
    await account.as.messages.send({
      inbox_id: account.inbox.id,
      to: [`bo-${number}@hangs.example`],
      text: "Hello.",
    });
  const stop = service.letterslot.work();
  await service.clock.advance(50);
  const sent = () => service.transport.sent.map(({ envelope }) => envelope.rcpt_to[0]);
  await honest.as.messages.send({ inbox_id: honest.inbox.id, to: ["ada@sender.example"], text: "On time." });
  expect(await timeUntil(service, () => sent().includes("ada@sender.example"), 10_000)).toBeLessThanOrEqual(
    1_500,
  );
  await account.as.owners.create({ inbox_id: account.inbox.id, email: "new-owner@owners.example" });
  expect(
    await timeUntil(service, () => sent().includes("new-owner@owners.example"), 10_000),
  ).toBeLessThanOrEqual(1_500);
  await service.clock.advance(20 * 60_000);
  await stop();
  expect(sent().filter((recipient) => recipient?.endsWith("@hangs.example"))).toHaveLength(200);
});

test("300 mails of one account leave as fast as they are taken: none waits for a time of its own", async () => {
  const { service, honest } = await open(0, 0);
  for (let number = 0; number < 300; number++)
    await honest.as.messages.send({ inbox_id: honest.inbox.id, to: ["ada@sender.example"], text: "Hello." });
  const stop = service.letterslot.work();
  const left = () =>
    service.transport.sent.filter(({ envelope }) => envelope.rcpt_to.includes("ada@sender.example")).length;
  // The first of those that are postponed is due by itself after a second.
  expect(await timeUntil(service, () => left() === 300, 10_000)).toBeLessThan(1_000);
  await stop();
  expect(left()).toBe(300);
});
