import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { operations } from "../../operations.ts";

const ADA = "ada@example.com";
const NUMBER = "+14155550199";
const core = fileURLToPath(new URL("../../", import.meta.url));

/** What hands something to the world, or queues what will be, and the files that may. */
const HANDS_OVER: Record<string, string[]> = {
  // Every mail of an agent is judged in one of these three, and a letter of the service itself isn't its words.
  "queueOutgoing(": [
    "mailbox/messages/outgoing/send-letter.ts",
    // What a person allowed to be forwarded: judged by secrets and canaries alone.
    "traffic/forwarding/forward.ts",
    // A rule's answer: one that would be held isn't sent.
    "traffic/rules/auto-reply.ts",
    "traffic/sending/drafts/send-draft.ts",
    "traffic/sending/send.ts",
  ],
  "sendDraft(": ["traffic/sending/drafts/send-job.ts", "traffic/sending/drafts/send-now.ts"],
  "queuePhoneAct(": ["traffic/sending/drafts/send-draft.ts", "traffic/sending/phone/phone-send.ts"],
  "queueText(": ["traffic/sending/phone/phone-send.ts"],
  "queueCall(": ["traffic/sending/phone/phone-send.ts"],
  // Letters of the service. What agents write in them passed the gate, or `checkUpdate`, where it was taken in.
  "sendLetter(": [
    "owners/approvals/ask.ts",
    "owners/owners/choose-style.ts",
    "owners/owners/invite.ts",
    "owners/owners/unsubscribe.ts",
    "owners/updates/deliver.ts",
    "owners/updates/digests/send.ts",
    "owners/updates/questions/act-on-reply.ts",
    "owners/updates/questions/ask-which.ts",
  ],
  "mailFromNoReply(": [
    "account/domains/send-letter.ts",
    "account/pairing/send-letter.ts",
    "account/recovery/send-letters.ts",
    "owners/sessions/gathered-approvals.ts",
    "owners/sessions/passkeys.ts",
    "owners/sessions/recovered-keys.ts",
    "owners/sessions/send-sign-in-letter.ts",
    "traffic/forwarding/letter.ts",
    "traffic/inbound/postmaster.ts",
    "traffic/sending/canary-letter.ts",
  ],
  // What is queued leaves here.
  // What is asked of other servers: a file that mail attaches, an image that a mail shows.
  ".file(": ["mailbox/uploads/fetch.ts", "traffic/views/fetch-images.ts"],
  "transport.send(": ["owners/sessions/mail-from-no-reply.ts", "traffic/sending/send-job.ts"],
  ".sendSms(": ["traffic/sending/phone/sms-job.ts"],
  ".placeCall(": ["traffic/sending/phone/call-job.ts"],
};

/** The files that judge: each of them passes the gate before it hands anything over. */
const JUDGES = [
  "traffic/rules/auto-reply.ts",
  "traffic/sending/drafts/create.ts",
  // A draft as a person changed it: what is approved is sent by its job.
  "traffic/sending/drafts/held.ts",
  "traffic/sending/drafts/send-job.ts",
  "traffic/sending/drafts/send-now.ts",
  "traffic/sending/phone/phone-send.ts",
  "traffic/sending/send.ts",
];

/**
 * The files that take in what agents write to the people in charge, and addresses that files and images are fetched from: they are
 * searched for secrets and canaries alone.
 */
const TELLERS = [
  "mailbox/uploads/fetch.ts",
  "owners/owners/operations.ts",
  "owners/updates/report.ts",
  "traffic/forwarding/ask.ts",
  "traffic/forwarding/forward.ts",
  "traffic/inbound/operations.ts",
  // Remote images of a mail that a person looks at: fetching one asks its server for it.
  "traffic/views/fetch-images.ts",
];

const sources = readdirSync(core, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(`${core}/${file}`, "utf8") }));

const callersOf = (call: string) =>
  sources
    .filter(({ text }) => text.split("\n").some((line) => line.includes(call) && !line.includes("function ")))
    .map(({ file }) => file)
    .sort();

describe("every way out", () => {
  test.each(Object.entries(HANDS_OVER))("%s is called by those who passed the gate alone", (call, files) => {
    expect(callersOf(call)).toEqual(files);
  });

  test("the gate is asked wherever something is handed over", () => {
    expect(callersOf("passGate(")).toEqual(JUDGES);
    expect(callersOf("checkUpdate(")).toEqual(TELLERS);
  });

  const ways: Record<string, (as: Awaited<ReturnType<typeof setting>>) => Promise<unknown>> = {
    "messages.send": ({ as, inbox_id }) => as.messages.send({ inbox_id, to: [ADA], text: "Hello" }),
    "messages.reply": ({ as, inbox_id, message_id }) =>
      as.messages.reply({ inbox_id, message_id, text: "Hello" }),
    "messages.replyAll": ({ as, inbox_id, message_id }) =>
      as.messages.replyAll({ inbox_id, message_id, text: "Hello" }),
    "messages.forward": ({ as, inbox_id, message_id }) =>
      as.messages.forward({ inbox_id, message_id, to: [ADA] }),
    "messages.sendSms": ({ as, inbox_id }) => as.messages.sendSms({ inbox_id, to: NUMBER, text: "Hello" }),
    "messages.call": ({ as, inbox_id }) => as.messages.call({ inbox_id, to: NUMBER, say: "Hello" }),
    "tasks.reply": ({ as, task_id }) => as.tasks.reply({ task_id, text: "Hello" }),
    "drafts.create": ({ as, inbox_id, in_an_hour }) =>
      as.drafts.create({ inbox_id, to: [ADA], text: "Hello", send_at: in_an_hour }),
    async "drafts.send"({ as, inbox_id }) {
      const draft = await as.drafts.create({ inbox_id, to: [ADA], text: "Hello" });
      return as.drafts.send({ inbox_id, draft_id: draft.id });
    },
  };

  /** What is told to the people in charge: words that never leave don't go to them either. */
  const told: Record<string, (as: Awaited<ReturnType<typeof setting>>, word: string) => Promise<unknown>> = {
    "updates.create": ({ as, inbox_id }, text) => as.updates.create({ inbox_id, kind: "done", text }),
    "owners.create": ({ as, inbox_id }, word) =>
      as.owners.create({ inbox_id, email: `${word}@friend.example` }),
    async "messages.release"({ as, inbox_id, message_id }, reason) {
      return as.messages.release({ inbox_id, message_id, reason });
    },
  };

  /** A person who decides judges what they changed; the draft's own job sends it. */
  const decided = ["approvals.decide", "approvals.decideInSession", "approvals.decideOptions"];
  const failing = (code: string) =>
    Object.entries(operations).flatMap(([resource, verbs]) =>
      Object.entries(verbs).flatMap(([verb, { errors = [] }]) =>
        (errors as readonly string[]).includes(code) ? `${resource}.${verb}` : [],
      ),
    );

  test("these are all operations that send", () => {
    expect([...Object.keys(ways), ...decided].sort()).toEqual(failing("recipient_blocked").sort());
  });

  test("these, and those that tell the people in charge, are all that may refuse secrets and canaries", () => {
    const all = [...Object.keys(ways), ...Object.keys(told), ...decided, ...elsewhere].sort();
    expect(failing("own_secret").sort()).toEqual(all);
    expect(failing("canary_leaked").sort()).toEqual(all);
  });

  /**
   * `updates.create` by another path, a draft whose files are fetched, an address that is asked to confirm, and a mail
   * whose images a person fetches.
   */
  const elsewhere = ["updates.notify", "drafts.update", "forwarding.create", "messages.view"];

  test("updates.notify is updates.create by another path", () => {
    expect(operations.updates.notify.run).toBe(operations.updates.create.run);
  });

  test.each(Object.entries(told))("%s is refused with a secret or a canary in it", async (_name, tell) => {
    const world = await setting();
    const made = await world.as.keys.create({ permissions: ["message_send"] });
    const secret = "api_key" in made ? made.api_key : "";
    await expect(tell(world, secret)).rejects.toMatchObject({ code: "own_secret" });
    await expect(tell(world, await world.plant())).rejects.toMatchObject({ code: "canary_leaked" });
  });

  test.each(Object.entries(ways))("%s is refused to a blocked recipient", async (_name, act) => {
    const world = await setting();
    for (const entry of [ADA, NUMBER])
      await world.as.lists.create({ direction: "send", type: "block", entry });
    await expect(act(world)).rejects.toMatchObject({ code: "recipient_blocked" });
  });
});

/** An account with a number, a mail of Ada's and the task that it made. */
async function setting() {
  const service = createTestService();
  const account = await service.signUp();
  const { as, inbox } = account;
  const inbox_id = inbox.id;
  await as.phoneNumbers.create({ inbox_id, area_code: "415" });
  await as.allowlist.create({ inbox_id, address: ADA });
  await service.addOwner(account, "grace@example.com");
  await as.inboxes.update({ inbox_id, release_by: "authority" });
  await service.receive({ from: ADA, to: inbox.email, subject: "Order", text: "Please order paper." });
  const [message] = (await as.messages.list({ inbox_id })).data;
  const [task] = (await as.tasks.list({ inbox_id })).data;
  const plant = async () => (await as.canaries.create({ inbox_id, name: "Instructions" })).canary;
  const in_an_hour = new Date(service.clock.now().getTime() + 3600_000).toISOString();
  return { as, inbox_id, in_an_hour, plant, message_id: message?.id ?? "", task_id: task?.id ?? "" };
}
