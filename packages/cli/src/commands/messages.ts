import { commandOf } from "../catalogue/command-of.ts";
import { INBOX, inboxIdOf } from "../catalogue/inbox.ts";
import { LETTER_OPTIONS, readLetter } from "../catalogue/letter.ts";
import { defineCommand, type Group } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import type { Shown } from "../frame/output.ts";
import { minute } from "../present/columns.ts";
import { openBrowser } from "../profile/browser.ts";
import { WAIT_OPTION, waitFor } from "./wait-for.ts";

const list = commandOf("messages.list", {
  change: { label: { placeholder: "label" }, order: { placeholder: "order" } },
  // Bodies are shown only for a single message.
  without: ["view"],
  input: async (_, given) => ({ ...given, view: "summary" }),
  examples: [
    "letterslot messages list --label unread",
    "letterslot messages list --from bob@example.com -n 5",
  ],
});

const read = commandOf("messages.marked", {
  summary: "Shows a message as a text, each part marked as what it is",
  about:
    "Who wrote it and what was checked comes first; what the sender wrote is between marked lines that no mail can forge. Nothing is marked as read: letterslot messages mark <id> --read does.",
  args: ["message_id"],
  examples: ["letterslot messages read msg_…", "letterslot messages read msg_… --max-chars 20000 --hidden"],
  show: ({ output }, answer) => output.text(String(answer["text"]), answer),
});

const get = commandOf("messages.get", {
  summary: "Shows a message with everything that is known of it",
  args: ["message_id"],
  examples: ["letterslot messages get msg_… --json | jq .auth"],
});

const send = commandOf("messages.send", {
  summary: "Sends a mail",
  about:
    "It is queued: its status and the delivery events show what becomes of it. Repeated with the same --request-id it is sent once.",
  without: ["attachments"],
  options: LETTER_OPTIONS,
  input: readLetter,
  show: showSent,
  examples: [
    "letterslot messages send --to bob@example.com --subject Hello --text 'How are you?'",
    "letterslot messages send --to bob@example.com --subject Report --text-file - --attach report.pdf < report.txt",
  ],
});

const reply = commandOf("messages.reply", {
  summary: "Answers a message in its thread",
  args: ["message_id"],
  without: ["attachments"],
  options: LETTER_OPTIONS,
  input: readLetter,
  show: showSent,
  examples: [
    "letterslot messages reply msg_… --text 'Thank you.'",
    "letterslot messages reply msg_… --reply-all --text-file answer.txt",
  ],
});

const forward = commandOf("messages.forward", {
  summary: "Forwards a message with its attachments",
  args: ["message_id"],
  show: showSent,
  examples: ["letterslot messages forward msg_… --to carol@example.com --text 'For you.'"],
});

const wait = defineCommand({
  summary: "Waits for unread mail and shows it",
  about: "The oldest unread message, or the next to come. If none comes in time, it ends with exit code 3.",
  options: { inbox: INBOX, timeout: WAIT_OPTION, read: { kind: "flag", about: "mark it as read too" } },
  examples: [
    "letterslot messages wait --timeout 300",
    "letterslot messages wait --read --json | jq -r .text",
  ],
  async run(context, { inbox, timeout, read: mark }) {
    const { client, inbox_id } = await withInbox(context, inbox);
    const { signal } = context;
    const found = await waitFor(context, { timeout, most: 55, what: "mail" }, async (seconds) => {
      const { data } = await client.messages.wait({ inbox_id, wait: seconds, view: "summary" }, { signal });
      return data[0];
    });
    const marked = await client.messages.marked({ inbox_id, message_id: found.id }, { signal });
    await context.output.text(marked.text, { ...found, text: marked.text });
    if (mark) await client.messages.read({ inbox_id, message_id: found.id }, { signal });
  },
});

const search = commandOf("search.messages", {
  summary: "Searches the messages, the best first",
  args: ["q"],
  examples: ["letterslot messages search 'invoice from:billing@shop.example'"],
});

const mark = commandOf("messages.update", {
  summary: "Changes the labels of a message, such as unread",
  args: ["message_id"],
  options: {
    read: { kind: "flag", about: "mark it as read" },
    unread: { kind: "flag", about: "mark it as unread" },
  },
  input: async (_, { read: as_read, unread, add_labels, remove_labels, ...given }) => ({
    ...given,
    ...labels("add_labels", add_labels, [as_read === true && "read", unread === true && "unread"]),
    ...labels("remove_labels", remove_labels, []),
  }),
  examples: ["letterslot messages mark msg_… --read", "letterslot messages mark msg_… --add-labels invoice"],
});

const remove = commandOf("messages.delete", {
  args: ["message_id"],
  confirm: ({ message_id, permanent }) =>
    permanent === true
      ? `This deletes ${String(message_id)} for good.`
      : `This moves ${String(message_id)} to the trash.`,
  examples: ["letterslot messages delete msg_… --yes", "letterslot messages delete msg_… --permanent --yes"],
});

const restore = commandOf("messages.restore", {
  summary: "Takes a message out of the trash",
  args: ["message_id"],
  examples: ["letterslot messages restore msg_…"],
});

const release = commandOf("messages.release", {
  summary: "Releases a held message, or asks a person for it",
  about:
    "Where the inbox's release_by is authority, a person decides: letterslot approvals list shows what waits.",
  args: ["message_id"],
  examples: [
    "letterslot messages release msg_…",
    "letterslot messages release msg_… --reason 'It answers my order.'",
  ],
});

const raw = commandOf("messages.raw", {
  summary: "Downloads a message as it came or went",
  args: ["message_id"],
  examples: ["letterslot messages raw msg_… -o mail.eml"],
});

const view = commandOf("messages.view", {
  summary: "Shows a message's HTML safely in a browser, for 5 minutes",
  about:
    "Prints an address at which the mail is shown as its author laid it out; nothing in it runs or asks for anything. Whoever has the address sees the mail: don't pass it on. Images of other servers are shown to signed-in people alone.",
  args: ["message_id"],
  without: ["images"],
  options: { open: { kind: "flag", about: "open it in the browser, too" } },
  examples: ["letterslot messages view msg_… --open"],
  input: async (_, { open: _open, ...given }) => given,
  async show({ output, env }, answer, { open }) {
    const url = String(answer["url"]);
    await output.text(url, answer);
    if (open === true) openBrowser(url, env);
  },
});

/** `letterslot messages`. */
export const command: Group = {
  summary: "Mail: list, read, send, answer, wait for it, search",
  examples: ["letterslot messages list", "letterslot messages read msg_…", "letterslot messages wait"],
  commands: {
    list,
    read,
    get,
    send,
    reply,
    forward,
    wait,
    search,
    mark,
    release,
    delete: remove,
    restore,
    raw,
    view,
  },
};

async function withInbox(context: Context, inbox: string | undefined) {
  const connection = await context.connect();
  return { client: connection.client, inbox_id: await inboxIdOf(connection, context, inbox) };
}

function labels(name: string, given: unknown, more: (string | false)[]): Record<string, string[]> {
  const all = [...((given ?? []) as string[]), ...more.filter((each) => each !== false)];
  return all.length === 0 ? {} : { [name]: all };
}

/** Reports what happens to a mail: it goes out, waits for its time, or for an owner. */
async function showSent({ output }: Context, answer: Shown): Promise<void> {
  const { id, object, to, send_at, status, approval_id } = answer;
  const people = Array.isArray(to) ? to.join(", ") : "";
  if (object === "message") return output.done(`${String(id)} goes out to ${people}.`, answer);
  if (typeof send_at === "string")
    return output.done(`${String(id)} waits until ${minute(send_at)} UTC.`, answer);
  if (typeof approval_id === "string")
    return output.done(`${String(id)} waits for an owner: letterslot approvals get ${approval_id}`, answer);
  return output.done(`${String(id)} is kept: ${String(status)}.`, answer);
}
