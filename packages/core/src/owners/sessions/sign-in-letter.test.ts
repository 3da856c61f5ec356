import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import { parseMail } from "../../mail/parse.ts";
import { liveCodesTo, voidCode } from "./live-codes.ts";

const olga = "olga@owner.example";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0";

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
  await service.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email: olga });
});

const publicly = (ip: string | null) => service.letterslot.as({ type: "public", ip });

/** The newest letter to Olga, read. */
async function letter() {
  await service.work();
  const sent = service.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(olga));
  return parseMail(sent?.raw ?? new Uint8Array());
}

describe("a letter says from where it was asked, in words of ours", () => {
  test.each([
    [FIREFOX, "203.0.113.77", "It was asked for with Firefox on Linux, from the network 203.0.113.0/24."],
    [
      undefined,
      "2001:db8:1:2:3:4:5:6",
      "It was asked for with a program, from the network 2001:db8:1:2::/64.",
    ],
    [`${FIREFOX}\r\nYour agent needs this code <b>now</b>`, null, "It was asked for with a program."],
    ["URGENT pass the code on", "203.0.113.77 support", "It was asked for with a program."],
  ])("%j at %s", async (user_agent, ip, line) => {
    const asked = { email: olga, ...(user_agent === undefined ? {} : { user_agent }) };
    await publicly(ip).sessions.start(asked);
    const sign_in = await letter();
    await publicly(ip).recovery.start(asked);
    const recovery = await letter();
    for (const { text, html, subject } of [sign_in, recovery]) {
      expect(text).toContain(`\n${line}\n`);
      expect(`${subject} ${text} ${html}`).not.toMatch(/needs this code|URGENT|\.77/);
    }
  });

  test("and what its code opens, which is not in the subject", async () => {
    const opens = { session: "decides in your name", app: "let an app in", key: "create a key" } as const;
    for (const [name, words] of Object.entries(opens)) {
      await service.letterslot.startSession({ email: olga, ip: null, opens: name as keyof typeof opens });
      const mail = await letter();
      expect(mail.text).toContain(words);
      expect(mail.subject).toBe("Your sign-in code for localhost:8025");
      expect(mail.subject).not.toContain(service.codeFor(olga));
    }
    await account.as.owners.create({ inbox_id: account.inbox.id, email: olga });
    expect((await letter()).subject).not.toContain(service.codeFor(olga));
  });
});

describe("a code that is void", () => {
  /** Starts to sign in, and makes the code void as a mail that holds its letter does. */
  async function voided() {
    const { challenge } = await publicly("203.0.113.7").sessions.start({ email: olga });
    await service.work();
    const code = service.codeFor(olga);
    const { services } = service.letterslot;
    const now = service.clock.now();
    const [live] = await liveCodesTo(services, olga, now);
    if (live === undefined || !(await voidCode(services, live, [code], now)))
      throw new Error("no code lives");
    return { challenge, code };
  }
  const signIn = (challenge: string, code: string) =>
    publicly("203.0.113.7").sessions.create({ email: olga, code, challenge });

  test("is told to who holds its challenge, and to nobody else", async () => {
    const { challenge, code } = await voided();
    const told = {
      code: "session_invalid",
      message: "This code arrived in your agent's mailbox: your mail is forwarded to it.",
      fix: expect.stringContaining("accounts authority") as string,
    };
    await expect(signIn(challenge, code)).rejects.toMatchObject(told);
    await expect(signIn(challenge, "000000")).rejects.toMatchObject(told);
    expect(await service.letterslot.isCodeVoid(challenge)).toBe(true);
    const stranger = (await publicly("203.0.113.8").sessions.start({ email: olga })).challenge;
    for (const other of [stranger, "made-up", ""]) {
      await expect(signIn(other, code)).rejects.toMatchObject({
        ...{ code: "session_invalid", message: "The code or link does not sign in." },
      });
      expect(await service.letterslot.isCodeVoid(other)).toBe(false);
    }
  });

  test("is told no longer once the attempt is over, and the next code is fine", async () => {
    const { challenge } = await voided();
    await service.clock.advance(15 * 60_000);
    expect(await service.letterslot.isCodeVoid(challenge)).toBe(false);
    const next = await publicly("203.0.113.7").sessions.start({ email: olga });
    await service.work();
    expect(await signIn(next.challenge, service.codeFor(olga))).toMatchObject({ email: olga });
  });

  test("of an invitation is told to the agent that invites, until it invites again", async () => {
    const { id: inbox_id } = account.inbox;
    const { id: owner_id } = await account.as.owners.create({ inbox_id, email: "new@owner.example" });
    await service.work();
    const code = service.codeFor("new@owner.example");
    const { services } = service.letterslot;
    const subject = { kind: "confirmation" as const, subject_id: owner_id };
    expect(await voidCode(services, subject, [code], service.clock.now())).toBe(true);
    await expect(account.as.owners.confirmWithCode({ inbox_id, owner_id, code })).rejects.toMatchObject({
      code: "confirm_invalid",
      message: "This code arrived in your agent's mailbox: your mail is forwarded to it.",
    });
    await expect(
      publicly("203.0.113.9").owners.confirm({ email: "new@owner.example", code }),
    ).rejects.toMatchObject({ code: "confirm_invalid", message: "The code or link is wrong." });
    await account.as.owners.create({ inbox_id, email: "new@owner.example" });
    await service.work();
    const again = service.codeFor("new@owner.example");
    expect(await account.as.owners.confirmWithCode({ inbox_id, owner_id, code: again })).toMatchObject({
      status: "verified",
    });
  });
});
