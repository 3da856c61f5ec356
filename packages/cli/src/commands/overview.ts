import type { Overview } from "@letterslot/client";
import { commandOf } from "../catalogue/command-of.ts";
import type { Column } from "../frame/output.ts";
import { minute } from "../present/columns.ts";

/** Something that waits for a person. */
type Waiting = Record<"kind" | "id" | "what", string>;

const WAITING: readonly Column<Waiting>[] = [
  { title: "needs you", of: ({ kind }) => kind },
  { title: "id", of: ({ id }) => id },
  { title: "what", of: ({ what }) => what, cut: true },
];

type Agent = Overview["agents"][number];

const AGENTS: readonly Column<Agent>[] = [
  { title: "agent", of: ({ email }) => email, cut: true },
  { title: "received", of: ({ received }) => received },
  { title: "sent", of: ({ sent }) => sent },
  { title: "tasks open", of: ({ tasks_open }) => tasks_open },
  { title: "done", of: ({ tasks_done }) => tasks_done },
  { title: "last mail", of: ({ last_at }) => minute(last_at) },
];

/** `letterslot overview`: what waits for a person, and what the agents did today. */
export const command = commandOf("overview.get", {
  summary: "Shows what waits for a person, and what the agents did today",
  examples: ["letterslot overview", "letterslot overview --time-zone Europe/Berlin --json"],
  async show({ output }, answer) {
    if (output.json) return output.record(answer);
    const shown = answer as Overview;
    await output.list(waitingIn(shown), WAITING, "Nothing waits for you.");
    await output.list(shown.agents, AGENTS, "There is no inbox yet.");
  },
});

function waitingIn(shown: Overview): Waiting[] {
  return [
    ...shown.approvals.map(({ id, summary }) => ({ kind: "approval", id, what: summary })),
    ...shown.questions.map(({ inbox_email, update: { id, title, text } }) => ({
      kind: "question",
      id,
      what: `${inbox_email}: ${title ?? text}`,
    })),
    ...shown.held.map(({ id, from, subject }) => ({ kind: "held mail", id, what: `${from}: ${subject}` })),
    ...shown.failed.map(({ id, to, subject }) => ({
      kind: "failed mail",
      id,
      what: `${to.join(", ")}: ${subject}`,
    })),
    ...shown.webhooks.map(({ id, url }) => ({ kind: "webhook", id, what: `${url} is disabled` })),
    ...shown.domains.map(({ id, domain, status }) => ({
      kind: "domain",
      id,
      what: `${domain} is ${status}`,
    })),
    ...shown.refusals.map(({ key_id, client_id, name, operation, code, count }) => ({
      kind: "refusals",
      id: key_id ?? client_id ?? "",
      what: `${name ?? "a caller"}: ${operation} was refused ${count} times (${code})`,
    })),
  ];
}
