import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "../../packages/core/src/catalogue/limits.ts";
import type { TestAccount } from "../../packages/core/testing/index.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const GRACE = "grace@example.com";

let world: ConsoleWorld;
let account: TestAccount;
let page: Page;
let at: string;

beforeAll(async () => {
  world = await startConsole();
  account = await world.served.signUp("ada");
  await world.served.addOwner(account, GRACE);
  await world.served.letterslot
    .asOwner({ email: GRACE, account_id: "" })
    .authority.create({ account_id: account.account_id });
  at = `/inboxes/${account.inbox.id}/agent`;
  page = await world.open(GRACE, at, { desk: true });
}, 180_000);
afterAll(() => world?.close());

const inbox_id = () => account.inbox.id;
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });

test("a person gives the agent work, reads what it reports, and answers in place", async () => {
  await page.getByText("Nothing said yet").waitFor();
  await world.look(page, "agent-empty");
  await page.getByLabel("Write to your agent").fill("Please order two boxes of paper.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("listitem").getByText("Please order two boxes of paper.").waitFor();
  const [task] = (await account.as.tasks.list({})).data;
  expect(task).toMatchObject({ text: "Please order two boxes of paper.", trusted: true, sender: GRACE });

  await account.as.updates.create({
    inbox_id: inbox_id(),
    kind: "progress",
    title: "Two offers so far",
    text: "The cheaper one is 41 euros.",
    task_id: task?.id ?? "",
  });
  await world.served.work();
  await page.getByText("Two offers so far").waitFor();
  const asked = await account.as.updates.create({
    inbox_id: inbox_id(),
    kind: "needs_input",
    text: "Shall I take the cheaper one?",
    question: { type: "yes_no" },
  });
  await world.served.work();
  await button("Yes").waitFor();
  await world.look(page, "agent-conversation");
  await button("Yes").click();
  await page.getByText(`Answered by ${GRACE}`).waitFor();
  const [answered] = (await account.as.updates.list({ inbox_id: inbox_id() })).data;
  expect(answered).toMatchObject({ id: asked.id, answer: { value: true, method: "session" } });
  for (const [question, fill] of [
    [{ type: "number" as const }, "Your answer, a number"],
    [{ type: "text" as const }, "Your answer"],
  ] as const) {
    const update = await account.as.updates.create({
      inbox_id: inbox_id(),
      kind: "needs_input",
      text: `By ${question.type}?`,
      question,
    });
    await world.served.work();
    await page.getByLabel(fill, { exact: true }).fill("42");
    await page.keyboard.press(question.type === "number" ? "Enter" : "Tab");
    if (question.type === "text") await page.keyboard.press("Enter");
    await page.getByText(`By ${question.type}?`).waitFor();
    await expect
      .poll(
        async () =>
          (await account.as.updates.list({ inbox_id: inbox_id() })).data.find(({ id }) => id === update.id)
            ?.answer?.value,
      )
      .toBe(question.type === "number" ? 42 : "42");
  }
  await button("Add to this").first().click();
  await page.getByText("About “Please order two boxes of paper.”").waitFor();
  await page.keyboard.type("Recycled, please.");
  await button("Send").click();
  await page.getByRole("listitem").getByText("Recycled, please.").waitFor();
});

/** What is dropped or pasted: a file that a page is given. */
const dropOf = (name: string, bytes: number) =>
  page.evaluateHandle(`(() => {
    const all = new DataTransfer();
    all.items.add(new File([new Uint8Array(${bytes})], ${JSON.stringify(name)}, { type: "text/csv" }));
    return all;
  })()`);

test("a person hands the agent files: picked, dropped, taken away again, and told why one is refused", async () => {
  await world.go(page, at);
  const form = page.locator("form").filter({ has: page.getByLabel("Write to your agent") });
  const rows = form.getByRole("list", { name: "Files of this message" }).getByRole("listitem");
  const picker = form.locator("input[type=file]");
  const offer = Buffer.alloc(300_000, "offer ");
  await picker.setInputFiles([
    { name: "offer.pdf", mimeType: "application/pdf", buffer: offer },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("blue, please") },
  ]);
  await form.getByText("Say what your agent is to do with them.").waitFor();
  await expect.poll(() => rows.getByText("attached").count()).toBe(2);
  await form.dispatchEvent("dragover", { dataTransfer: await dropOf("prices.csv", 7) });
  await form.getByText("Drop the files here").waitFor();
  await form.dispatchEvent("drop", { dataTransfer: await dropOf("prices.csv", 7) });
  await expect.poll(() => rows.getByText("attached").count()).toBe(3);
  await world.look(page, "agent-files");
  await button("Remove notes.txt").click();
  expect(await rows.count()).toBe(2);
  await form.dispatchEvent("drop", { dataTransfer: await dropOf("film.mov", LIMITS.message_bytes) });
  await form.getByRole("alert").getByText("The files of a message have at most").waitFor();
  await page.getByLabel("Write to your agent").fill("Please compare these two.");
  expect(await button("Send").isDisabled()).toBe(true);
  await world.look(page, "agent-files-refused");
  await button("Remove film.mov").click();
  await button("Send").click();
  await page.getByRole("list", { name: "Files that came with it" }).getByText("offer.pdf").waitFor();
  await expect.poll(() => rows.count()).toBe(0);
  await world.look(page, "agent-files-sent");
  const [message] = (await account.as.messages.list({ inbox_id: inbox_id() })).data;
  expect(message?.attachments.map(({ filename, content_type }) => [filename, content_type])).toEqual([
    ["offer.pdf", "application/pdf"],
    ["prices.csv", "text/csv"],
  ]);
  const file = await account.as.attachments.get({
    ...{ inbox_id: inbox_id(), message_id: message?.id ?? "" },
    attachment_id: message?.attachments[0]?.id ?? "",
  });
  expect(Buffer.compare(Buffer.from((file as { bytes: Uint8Array }).bytes), offer)).toBe(0);
}, 60_000);

test("a file shows how far it is, can be taken back on its way, and tried again when its way broke", async () => {
  const form = page.locator("form").filter({ has: page.getByLabel("Write to your agent") });
  const picker = form.locator("input[type=file]");
  const put = "**/api/v1/uploads?**";
  let go = (): void => undefined;
  await page.route(put, async (route) => {
    await new Promise<void>((done) => (go = done));
    // The page may have ended it by itself.
    await route.abort().catch(() => undefined);
  });
  await picker.setInputFiles({ name: "long.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(50_000) });
  await form.getByRole("progressbar", { name: "How much of long.pdf is uploaded" }).waitFor();
  await form.getByText("It can be sent once all files are attached.").waitFor();
  await world.look(page, "agent-files-sending");
  go();
  await form.getByRole("alert").waitFor();
  await page.unroute(put);
  expect(world.faults().filter((fault) => !fault.includes("ERR_FAILED"))).toEqual([]);
  const phone = await world.open(GRACE, at);
  await phone.locator("input[type=file]").setInputFiles([
    {
      name: `${"A long name of a file ".repeat(6)}.pdf`,
      mimeType: "application/pdf",
      buffer: Buffer.alloc(9_000),
    },
  ]);
  await phone.getByText("attached", { exact: false }).last().waitFor();
  await world.look(phone, "agent-files-phone");
  await phone.context().close();
  await button("Upload long.pdf again").click();
  await form.getByText("attached", { exact: false }).last().waitFor();
  await button("Remove long.pdf").click();
  await expect.poll(() => form.getByRole("listitem").count()).toBe(0);
}, 60_000);

test("tasks stand on a board, with who has them until when, and move with an undo", async () => {
  await account.as.tasks.claim({ inbox_id: inbox_id(), lease_seconds: 600 });
  await world.go(page, `${at}/tasks`);
  await page.getByText("A worker has it").waitFor();
  await world.look(page, "agent-tasks");
  const todo = page.locator("section").filter({ has: page.getByRole("heading", { name: /^To do/ }) });
  const before = (await account.as.tasks.list({ status: "done" })).data.length;
  await todo.getByRole("button", { name: "Done" }).first().click();
  await page.getByText("It is done").waitFor();
  expect((await account.as.tasks.list({ status: "done" })).data).toHaveLength(before + 1);
  await button("Undo").click();
  await expect.poll(async () => (await account.as.tasks.list({ status: "done" })).data.length).toBe(before);
});

test("a rule counts what it matches as one types, is tried in its order, and comes back when it was deleted", async () => {
  for (const subject of ["Big sale today", "Your invoice", "Last day of the sale"])
    await world.served.receive({
      from: "shop@shop.example",
      to: account.inbox.email,
      subject,
      text: "Hello.",
    });
  await world.go(page, `${at}/rules`);
  await page.getByText("No rules yet").waitFor();
  await button("Add a rule").click();
  await page.keyboard.type("Sales");
  await page.getByLabel("The author is", { exact: true }).fill("@shop.example");
  await page.getByText("Matches 3 of the").waitFor();
  await page.getByLabel("Add a condition").selectOption({ label: "The subject contains" });
  await page.getByLabel("The subject contains", { exact: true }).fill("sale");
  await page.getByText("Matches 2 of the").waitFor();
  await page.getByLabel("Add an action").selectOption({ label: "Archive it" });
  await page.getByLabel("Add an action").selectOption({ label: "Add labels" });
  await page.getByLabel("Add labels", { exact: true }).fill("offers");
  await world.look(page, "agent-rule");
  await button("Save the rule").click();
  await page.getByRole("heading", { name: "Sales" }).waitFor();
  await account.as.rules.create({
    inbox_id: inbox_id(),
    name: "Hold",
    conditions: { suspicious: true },
    actions: { hold: true },
  });
  await page.reload();
  await button("Try Hold earlier").click();
  await button("Try Sales earlier").waitFor();
  await world.look(page, "agent-rules");
  await page.getByLabel("Use the rule Sales").uncheck();
  await expect
    .poll(async () =>
      (await account.as.rules.list({ inbox_id: inbox_id() })).data.map(({ name, enabled }) => [
        name,
        enabled,
      ]),
    )
    .toEqual([
      ["Hold", true],
      ["Sales", false],
    ]);
  await button("Delete Hold").click();
  await button("Undo").click();
  await button("Delete Hold").waitFor();
  const all = (await account.as.rules.list({ inbox_id: inbox_id() })).data;
  expect(all.map(({ name }) => name)).toEqual(["Hold", "Sales"]);
  expect(all[1]).toMatchObject({
    conditions: { from: ["@shop.example"], subject_contains: ["sale"] },
    actions: { archive: true, add_labels: ["offers"] },
  });
});

test("expected mail, forwarding and settings say what they mean, and change", async () => {
  await account.as.expectations.create({ inbox_id: inbox_id(), kind: "code", from_domain: "bank.example" });
  await world.go(page, `${at}/expectations`);
  await page.getByText("A code from @bank.example").waitFor();
  await world.look(page, "agent-expectations");
  await button("Cancel").click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).last().click();
  await page.getByText("Cancelled").waitFor();

  await world.go(page, `${at}/forwarding`);
  await page.getByText("Mail goes nowhere else").waitFor();
  await page.getByLabel("Address").fill("grace@home.example");
  await button("Forward to an address").click();
  await page.getByText("Not confirmed yet").waitFor();
  await world.look(page, "agent-forwarding");

  const { inbox } = account;
  await world.served.letterslot
    .asOwner({ email: GRACE, account_id: account.account_id })
    .keys.createForInbox({ inbox_id: inbox.id, name: "Bot", budget: { sends_per_day: 20 } });
  await world.go(page, `${at}/settings`);
  await page.getByText("20 left today").waitFor();
  // Whoever has charge of the account is asked in the same step whether it holds for all of its inboxes.
  const other = await account.as.inboxes.create({ username: "other" });
  const modes = async () => {
    const both = [inbox.id, other.id].map((id) => account.as.inboxes.get({ inbox_id: id }));
    return (await Promise.all(both)).map(({ send_mode: own, effective_send_mode: now }) => [own, now]);
  };
  const ask = page.getByRole("dialog");
  await page.getByLabel("Ask when something looks odd").check();
  await ask.getByText("“Ask when something looks odd” in all your inboxes?").waitFor();
  await world.look(page, "agent-for-all");
  await ask.getByRole("button", { name: "Cancel" }).click();
  expect(await page.getByLabel("Send at once").isChecked()).toBe(true);
  // The dialog closes, and the toast comes, when the page knows what holds now.
  const answer = async (name: string) => {
    await ask.getByRole("button", { name }).click();
    await ask.waitFor({ state: "hidden" });
  };
  await page.getByLabel("Always ask").check();
  await answer("Only this one");
  expect(await modes()).toEqual([
    ["approval", "approval"],
    ["direct", "direct"],
  ]);
  await page.getByLabel("Ask when something looks odd").check();
  await answer("All inboxes");
  await page.getByText("Saved for all inboxes").waitFor();
  expect(await modes()).toEqual([
    ["guarded", "guarded"],
    ["direct", "guarded"],
  ]);
  await button("Undo").click();
  await page.getByText("Taken back").waitFor();
  expect(await modes()).toEqual([
    ["approval", "approval"],
    ["direct", "direct"],
  ]);
  await page.getByLabel("Ask when something looks odd").check();
  await answer("All inboxes");
  expect(await modes()).toEqual([
    ["guarded", "guarded"],
    ["direct", "guarded"],
  ]);
  // What all ask for already is not asked again.
  await page.getByLabel("Always ask").check();
  await answer("Only this one");
  expect(await modes()).toEqual([
    ["approval", "approval"],
    ["direct", "guarded"],
  ]);
  await page.getByLabel("Ask when something looks odd").check();
  await expect.poll(async () => (await modes())[0]).toEqual(["guarded", "guarded"]);
  expect(await ask.count()).toBe(0);
  await page.getByLabel("Always ask").check();
  await answer("Only this one");
  expect((await modes())[0]).toEqual(["approval", "approval"]);
  await page.getByLabel("Name", { exact: true }).fill("Ada at work");
  await button("Save").click();
  await page.getByRole("heading", { level: 1, name: "Ada at work" }).waitFor();
  await page.getByLabel("Where it is planted").fill("Instructions");
  await button("Make a canary").click();
  await page.getByText(/^lsc\w{38}$/).waitFor();
  await world.look(page, "agent-settings");
  await button("Pause").click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await button("Resume").click();
  await button("Pause").waitFor();
});

test("a phone shows all of it, and a key only what it may read", async () => {
  const phone = await world.open(GRACE, at);
  await phone.getByRole("listitem").getByText("Recycled, please.").waitFor();
  await world.look(phone, "agent-phone");
  await world.go(phone, `${at}/tasks`);
  await phone.getByText("A worker has it").waitFor();
  await world.look(phone, "agent-tasks-phone");
  const { api_key } = await account.as.keys.createForInbox({
    inbox_id: inbox_id(),
    name: "Reader",
    permissions: ["inbox_read", "task_read"],
  });
  const developer = await world.open(null);
  await developer.getByRole("button", { name: "Sign in with an API key" }).click();
  await developer.getByLabel("API key").fill(api_key);
  await developer.getByRole("button", { name: "Use this key" }).click();
  await world.go(developer, `${at}/tasks`);
  await developer.getByText("A worker has it").waitFor();
  expect(await developer.getByRole("link", { name: "Rules" }).count()).toBe(0);
  expect(await developer.getByRole("button", { name: "Done" }).count()).toBe(0);
  expect(world.faults()).toEqual([]);
}, 60_000);
