import type { Overview } from "@letterslot/client";
import type { Caller } from "../api/caller.ts";
import { atLeast } from "../words/index.ts";
import { isAsked } from "./agent/asked.ts";
import { addressOf } from "./mail/place.ts";

/** How much waits for whoever looks, with a plus where there is more than was counted; null if nothing does. */
export function waitingIn(
  { approvals, questions, held, failed, webhooks, domains, refusals, more }: Overview,
  caller: Caller,
): string | null {
  const asked = questions.filter(({ update }) => isAsked(caller, update));
  const count = [approvals, asked, held, failed, webhooks, domains, refusals].reduce(
    (sum, { length }) => sum + length,
    0,
  );
  const { agents: _agents, questions: more_questions, ...others } = more;
  const isMore = Object.values(others).some(Boolean) || (more_questions && asked.length > 0);
  return count === 0 ? null : atLeast(count, isMore);
}

/** Where an inbox has all of what waits there. */
export const ALL = {
  held: (inbox_id: string) => addressOf({ inbox_id, folder: "inbox", query: "label:held", thread_id: null }),
  questions: (inbox_id: string) => `/inboxes/${inbox_id}/agent`,
};
export type AllOf = keyof typeof ALL;

/** Where all of something is: in the one inbox, or in the list of inboxes, each of which leads to its own. */
export function addressOfAll(all: AllOf, { agents, more }: Overview): string {
  const [only, ...others] = agents;
  return only === undefined || others.length > 0 || more.agents
    ? `/inboxes/all/${all}`
    : ALL[all](only.inbox_id);
}
