/** A message in the model. */
export interface ModelMessage {
  id: string;
  thread_id: string;
  direction: "inbound" | "outbound";
  labels: string[];
  attachments: number;
  words: string[];
}

/** The simplest model of an inbox: one array. The service must give the same results. */
export interface MailboxModel {
  messages: ModelMessage[];
  add(message: ModelMessage): void;
  remove(test: (message: ModelMessage) => boolean): void;
  relabel(test: (message: ModelMessage) => boolean, add: readonly string[], remove: readonly string[]): void;
  /** Newest first. */
  list(test?: (message: ModelMessage) => boolean): ModelMessage[];
  /** Each thread's counts and newest message, the thread with the newest message first. */
  threads(): ModelThread[];
}

/** A thread in the model. */
export interface ModelThread {
  id: string;
  message_count: number;
  unread_count: number;
  attachment_count: number;
  last_message_id: string;
}

/** Creates an empty inbox. */
export function createMailboxModel(): MailboxModel {
  let messages: ModelMessage[] = [];
  const newestFirst = (a: { id: string }, b: { id: string }) => (a.id < b.id ? 1 : -1);
  const model: MailboxModel = {
    get messages() {
      return messages;
    },
    add: (message) => void messages.push(message),
    remove(test) {
      messages = messages.filter((message) => !test(message));
    },
    relabel(test, add, remove) {
      for (const message of messages.filter(test)) message.labels = applyLabels(message.labels, add, remove);
    },
    list: (test = () => true) => messages.filter(test).toSorted(newestFirst),
    threads() {
      const threads = [...Map.groupBy(messages, ({ thread_id }) => thread_id)].map(([id, own]) => ({
        id,
        message_count: own.length,
        unread_count: own.filter(({ labels }) => labels.includes("unread")).length,
        attachment_count: own.reduce((sum, { attachments }) => sum + attachments, 0),
        last_message_id: own.toSorted(newestFirst)[0]?.id ?? "",
      }));
      return threads.toSorted((a, b) => (a.last_message_id < b.last_message_id ? 1 : -1));
    },
  };
  return model;
}

/** A message is either read or unread: removing one adds the other. */
function applyLabels(labels: string[], add: readonly string[], remove: readonly string[]): string[] {
  const result = new Set(labels);
  for (const label of remove) result.delete(label);
  for (const label of add) result.add(label);
  if (add.includes("read") || remove.includes("unread")) result.delete("unread");
  if (add.includes("unread") || remove.includes("read")) result.delete("read");
  if (remove.includes("unread")) result.add("read");
  if (remove.includes("read")) result.add("unread");
  return [...result];
}
