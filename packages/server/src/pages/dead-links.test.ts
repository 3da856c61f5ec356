import type { TestAccount } from "@letterslot/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const OWN = "http://letterslot.test";
const AGENT = "ada@letterslot.localhost";
const minute = 60_000;
const hour = 60 * minute;

let served: Served;
let account: TestAccount;
let people = 0;

beforeAll(async () => {
  served = await serve();
  account = await served.signUp("ada");
});
beforeEach(() => served.clock.advance(hour));
afterAll(() => served.close());

/** The path of the newest letter's link to that page. */
function linkIn(email: string, page: string): string {
  const letter = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
  const text = new TextDecoder().decode(letter?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
  const path = new RegExp(`/api/v1/(${page}\\?token=\\w+)`).exec(text)?.[1];
  if (path === undefined) throw new Error(`no link to ${page} in ${text}`);
  return path;
}

async function invite(email = `owner${++people}@example.com`) {
  const { id } = await account.as.owners.create({ inbox_id: account.inbox.id, email });
  await served.work();
  return { email, owner_id: id, link: linkIn(email, "owners/confirm") };
}

async function confirmed() {
  const { email, owner_id } = await invite();
  const { as, inbox } = account;
  await as.owners.confirmWithCode({ inbox_id: inbox.id, owner_id, code: served.codeFor(email) });
  return { email, owner_id };
}

async function request(path: string, form?: Record<string, string>, cookie = "") {
  const response = await fetch(`${served.base_url}/api/v1/${path}`, {
    headers: { accept: "text/html", origin: OWN, cookie },
    ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
  });
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const html = await response.text();
  const text = html
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
  return {
    status: response.status,
    html,
    text,
    cookie: cookies.filter((pair) => !pair.endsWith("=")).join("; "),
  };
}

/** Presses the button of a link's page. */
function press(link: string, more: Record<string, string> = {}, cookie = "") {
  const [path = "", token = ""] = link.split("?token=");
  return request(path, { token, ...more }, cookie);
}

/** A page for a phone that names the agent and lets its reader write to it. */
const naming = {
  html: expect.stringMatching(
    /name="viewport" content="width=device-width.*href="mailto:ada@letterslot\.localhost"/s,
  ),
};

describe("an owner's confirmation link", () => {
  test("that has expired says so, who asked, and how a new letter comes", async () => {
    const { link } = await invite();
    await served.clock.advance(24 * hour);
    for (const shown of [await request(link), await press(link)]) {
      expect(shown).toMatchObject({ status: 400, ...naming });
      expect(shown.text).toContain("This link has expired");
      expect(shown.text).toContain(`${AGENT} asked you on `);
      expect(shown.text).toContain("The link worked for 24 hours");
      expect(shown.text).toMatch(/Ask ada@letterslot\.localhost .*to invite you again: .*new letter/);
    }
  });

  test("that a newer letter replaced says so, and takes the newer code", async () => {
    const { email, link } = await invite();
    await invite(email);
    const shown = await request(link);
    expect(shown).toMatchObject({ status: 400, ...naming });
    expect(shown.text).toContain("There is a newer letter");
    expect(shown.html).toMatch(/name="email".*name="code"/s);
  });

  test("whose invitation was taken back says so", async () => {
    const { link, owner_id } = await invite();
    await account.as.owners.delete({ inbox_id: account.inbox.id, owner_id });
    const shown = await request(link);
    expect(shown).toMatchObject({ status: 400, ...naming });
    expect(shown.text).toContain("This invitation was taken back");
  });

  test("that is cut off says so, and names nobody", async () => {
    const { link } = await invite();
    const shown = await request(link.slice(0, -3));
    expect(shown.status).toBe(400);
    expect(shown.text).toContain("This link does not work");
    expect(shown.text).toContain("cut long links");
    expect(shown.html).not.toContain(AGENT);
    expect(shown.html).toMatch(/name="email".*name="code"/s);
  });

  test("of an inbox that is gone names nobody who could be written to", async () => {
    const other = await served.signUp("shortlived");
    const email = `owner${++people}@example.com`;
    await other.as.owners.create({ inbox_id: other.inbox.id, email });
    await served.work();
    const link = linkIn(email, "owners/confirm");
    await other.as.inboxes.delete({ inbox_id: other.inbox.id });
    await served.work();
    const shown = await request(link);
    expect(shown.status).toBe(400);
    expect(shown.html).not.toContain("mailto:");
  });
});

test("a code that has expired, or was tried too often, says how a new letter comes", async () => {
  const { email } = await invite();
  const code = served.codeFor(email);
  await served.clock.advance(31 * minute);
  const late = await request("owners/confirm", { email, code });
  expect(late.status).toBe(400);
  expect(late.text).toContain("works for 30 minutes");
  expect(late.text).toContain("Ask the agent to invite you again");
});

describe("a sign-in link", () => {
  async function asked() {
    const { email } = await confirmed();
    const { cookie } = await request("owners/sign-in", { email });
    await served.work();
    return { email, cookie, link: linkIn(email, "owners/sign-in") };
  }

  test("that has expired says so before and after its button, and mails a new one", async () => {
    const { email, link, cookie } = await asked();
    expect((await request(link)).html).toContain("<button");
    await served.clock.advance(15 * minute);
    for (const shown of [await request(link), await press(link, {}, cookie)]) {
      expect(shown.status).toBe(400);
      expect(shown.text).toContain("This link has expired");
      expect(shown.text).toContain("15 minutes");
      expect(shown.html).toMatch(/name="viewport".*name="email"/s);
    }
    expect((await request("owners/sign-in", { email })).text).toContain("Check your email");
  });

  test("that was used says so", async () => {
    const { link, cookie } = await asked();
    expect((await press(link, {}, cookie)).text).toContain("You are signed in");
    for (const shown of [await request(link), await press(link, {}, cookie)]) {
      expect(shown.text).toContain("This link was already used");
      expect(shown.html).toMatch(/name="email"/);
    }
  });

  test("in another browser says where it works", async () => {
    const { link } = await asked();
    const shown = await press(link);
    expect(shown.status).toBe(400);
    expect(shown.text).toContain("the browser in which you asked for it");
    expect(shown.html).toMatch(/name="email"/);
  });
});

describe("a link to recover a key", () => {
  test("that has expired or was replaced says so, and leads to a new one", async () => {
    const email = "heidi@example.org";
    const { account_id } = account;
    await served.letterslot.operator.accounts.authority.give({ account_id, email });
    await request("recover", { email });
    await served.work();
    const link = linkIn(email, "recover/confirm");
    await request("recover", { email });
    await served.work();
    const replaced = await request(link);
    expect(replaced).toMatchObject({ status: 400, html: expect.stringContaining('href="../recover"') });
    expect(replaced.text).toContain("There is a newer letter");
    await served.clock.advance(30 * minute);
    expect((await request(linkIn(email, "recover/confirm"))).text).toContain("This link has expired");
  });
});

describe("an owner's other links", () => {
  async function lettered() {
    const { email, owner_id } = await confirmed();
    await account.as.updates.create({
      inbox_id: account.inbox.id,
      kind: "needs_input",
      text: "May I?",
      question: { type: "yes_no" },
    });
    await served.work();
    return { email, owner_id };
  }

  test.each(["owners/answer", "owners/style", "owners/unsubscribe"])(
    "%s, once the reader is no owner any more, says so and who wrote",
    async (page) => {
      const { email, owner_id } = await lettered();
      const link = linkIn(email, page);
      await account.as.owners.delete({ inbox_id: account.inbox.id, owner_id });
      const shown = await press(link, { value: "yes" });
      expect(shown).toMatchObject({ status: 400, ...naming });
      expect(shown.text).toMatch(/not among the owners of ada@letterslot\.localhost any more/);
    },
  );

  test("programs go on to get the error as JSON", async () => {
    const response = await fetch(`${served.base_url}/api/v1/owners/confirm?token=nonsense`, {
      headers: { accept: "application/json" },
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.objectContaining({ code: "confirm_invalid" }) },
    ]);
  });
});
