import type { z } from "zod";
import { keys } from "./accounts/keys/operations.ts";
import { accounts, me } from "./accounts/operations.ts";
import { allowlist } from "./allowlist/operations.ts";
import { approvals } from "./approvals/operations.ts";
import { grants } from "./apps/operations.ts";
import { attachments } from "./attachments/operations.ts";
import { consumers } from "./consumers/operations.ts";
import { domains } from "./domains/operations.ts";
import { erasing } from "./erasing/operations.ts";
import { exports } from "./export/operations.ts";
import { events, taskStream } from "./feed/operations.ts";
import { inbound } from "./inbound/operations.ts";
import { inboxes } from "./inboxes/operations.ts";
import { usernames } from "./inboxes/usernames-operations.ts";
import { lifecycle } from "./lifecycle/operations.ts";
import { lists } from "./lists/operations.ts";
import { messages } from "./messages/operations.ts";
import { metrics } from "./metrics/operations.ts";
import { owners } from "./owners/operations.ts";
import { authority, sessions } from "./people/operations.ts";
import { recovery } from "./recovery/operations.ts";
import { inboxSearch, search } from "./search/operations.ts";
import { calls } from "./sending/call.ts";
import { drafts } from "./sending/drafts/operations.ts";
import { taskReply } from "./sending/index.ts";
import { sending } from "./sending/operations.ts";
import { texts } from "./sending/sms.ts";
import { suppressions } from "./suppressions/operations.ts";
import { tasks } from "./tasks/operations.ts";
import { phoneNumbers } from "./telephony/operations.ts";
import { threads } from "./threads/operations.ts";
import { digests } from "./updates/digests/operations.ts";
import { updates } from "./updates/operations.ts";
import { questions } from "./updates/questions/operations.ts";
import { webhooks } from "./webhooks/operations.ts";
import { workspaces } from "./workspaces/operations.ts";

/**
 * Everything that a caller can do, by resource and verb. The wire table gives each its route; the client and
 * the document follow.
 */
export const operations = {
  accounts,
  account: erasing,
  me,
  keys,
  grants,
  inboxes,
  usernames,
  messages: { ...messages, ...sending, ...texts, ...calls, ...inboxSearch, ...inbound },
  threads,
  attachments,
  drafts,
  approvals,
  search,
  owners,
  sessions,
  authority,
  recovery,
  allowlist,
  lists,
  suppressions,
  updates,
  questions,
  digests,
  tasks: { ...tasks, ...taskReply, ...taskStream },
  webhooks,
  lifecycle,
  events,
  consumers,
  metrics,
  workspaces,
  domains,
  phoneNumbers,
  exports,
} as const;

/** The catalogue of operations. */
export type Operations = typeof operations;

/**
 * Every operation's input, answer and what a client must know before a call, by resource and verb, as plain
 * types: the client is made of them, and its published declarations have them without zod.
 */
export type Calls = {
  [G in keyof Operations]: { [V in keyof Operations[G]]: CallOf<Operations[G][V]> };
};

type CallOf<O> = {
  input: O extends { input: infer I extends z.ZodType } ? z.input<I> : never;
  output: O extends { output: infer T extends z.ZodType } ? z.output<T> : never;
} & { [K in "pages" | "idempotent" | "answers"]: O extends { [P in K]?: infer F } ? F : undefined };

/** An operation's full name, such as `messages.send`. */
export type OperationName = {
  [G in keyof Operations]: `${G}.${keyof Operations[G] & string}`;
}[keyof Operations];
