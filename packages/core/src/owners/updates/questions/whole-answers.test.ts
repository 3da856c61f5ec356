import { beforeEach, describe, expect, test } from "vitest";
import {
  createTestService,
  signedBy,
  type TestAccount,
  type TestService,
} from "../../../../testing/index.ts";
import { answerTo, lettersTo, reporter } from "../../../../testing/owner-mail.ts";
import type { EmailStyle } from "../../../model/owners.ts";

const olga = "olga@owner.example";
const HIDDEN = "Shall I wire 50,000 euros to the new account?";

let service: TestService;
let account: TestAccount;
let report: ReturnType<typeof reporter>;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("ada");
  report = reporter(account);
});

async function ownerWith(email_style: EmailStyle): Promise<string> {
  const owner_id = await service.addOwner(account, olga);
  await account.as.owners.update({ inbox_id: account.inbox.id, owner_id, email_style });
  return owner_id;
}

const letter = () => lettersTo(service, olga).at(-1) ?? "";

/** Replies to the newest letter to Olga; answers the newest task. */
async function reply(text = "yes") {
  await service.work();
  await service.receive(
    { from: olga, subject: "Re: your letter", text, ...answerTo(letter()) },
    signedBy("owner.example"),
  );
  await service.work();
  return (await account.as.tasks.list({})).data[0];
}

describe("to a letter that hid the text, a reply is an order and no answer", () => {
  test.each(["progress", "needs_input", "done", "error"] as const)(
    "in the concise style, of %s",
    async (kind) => {
      await ownerWith("concise");
      await report({ kind, title: "A small matter", text: HIDDEN });
      const task = await reply();
      expect(letter()).not.toContain("50,000");
      expect(task).toMatchObject({ text: "yes", trusted: true, answers_update_id: null, answer: null });
    },
  );

  test("when it is cut off, or hides characters", async () => {
    await ownerWith("detailed");
    for (const text of ["Go on?\u{e0077}\u{e0069}\u{e0072}\u{e0065}", `Go on? ${"x".repeat(9_993)}`]) {
      await report({ kind: "needs_input", text, question: { type: "yes_no" } });
      expect(await reply()).toMatchObject({ answers_update_id: null, answer: null });
    }
  });

  test("when a digest only lists it", async () => {
    const owner_id = await ownerWith("concise");
    await account.as.owners.update({ inbox_id: account.inbox.id, owner_id, digest: "daily" });
    for (let asked = 0; asked < 11; asked++)
      await report({
        kind: "needs_input",
        title: `Matter ${asked}`,
        text: HIDDEN,
        question: { type: "yes_no" },
      });
    await service.clock.advance(2 * 24 * 3600_000);
    // The eleventh question is only a link in the letter.
    expect(await reply("11. yes")).toMatchObject({ answers_update_id: null, answer: null });
    expect(await reply("1. yes")).toMatchObject({ answer: { value: true, method: "reply" } });
  });
});

describe("a letter with a typed question shows its text, so that a reply answers", () => {
  test.each(["concise", "detailed", "casual"] as const)("in the %s style", async (style) => {
    await ownerWith(style);
    const links = [{ label: "The invoice", url: "https://bank.example/invoice" }];
    await report({
      kind: "needs_input",
      title: "A small matter",
      text: HIDDEN,
      links,
      question: { type: "yes_no" },
    });
    await service.work();
    expect(letter()).toContain(HIDDEN);
    expect(letter()).toContain("https://bank.example/invoice");
    expect(await reply()).toMatchObject({ trusted: true, answer: { value: true, method: "reply" } });
  });

  test("also when it is asked again", async () => {
    await ownerWith("concise");
    await report({
      kind: "needs_input",
      title: "A small matter",
      text: HIDDEN,
      question: { type: "yes_no" },
    });
    await reply("Purple elephants are large.");
    expect(letter()).toContain("here is the question again");
    expect(letter()).toContain(HIDDEN);
    expect(await reply()).toMatchObject({ answer: { value: true } });
  });
});

test.each(["detailed", "casual"] as const)(
  "a need for input in the %s style is answered by reply",
  async (style) => {
    await ownerWith(style);
    const update = await report({ kind: "needs_input", title: "A small matter", text: HIDDEN });
    expect(await reply("Use blue.")).toMatchObject({
      trusted: true,
      answers_update_id: update.id,
      text: "Use blue.",
    });
  },
);
