import type { z } from "zod";
import { keys } from "./account/accounts/keys/operations.ts";
import { accounts, me } from "./account/accounts/operations.ts";
import { domains } from "./account/domains/operations.ts";
import { erasing } from "./account/erasing/operations.ts";
import { exports } from "./account/export/operations.ts";
import { inboxes } from "./account/inboxes/operations.ts";
import { usernames } from "./account/inboxes/usernames-operations.ts";
import { overview } from "./account/overview/operations.ts";
import { pairings } from "./account/pairing/operations.ts";
import { lifecycle } from "./account/product-notes/operations.ts";
import { recovery } from "./account/recovery/operations.ts";
import { workspaces } from "./account/workspaces/operations.ts";
import { consumers } from "./events/consumers/operations.ts";
import { events, taskStream } from "./events/feed/operations.ts";
import { webhooks } from "./events/webhooks/operations.ts";
import { metrics } from "./limits/metrics/operations.ts";
import { allowlist } from "./mailbox/allowlist/operations.ts";
import { canaries } from "./mailbox/canaries/operations.ts";
import { lists } from "./mailbox/lists/operations.ts";
import { messages } from "./mailbox/messages/operations.ts";
import { refusals } from "./mailbox/refusals/operations.ts";
import { inboxSearch, search } from "./mailbox/search/operations.ts";
import { suppressions } from "./mailbox/suppressions/operations.ts";
import { threads } from "./mailbox/threads/operations.ts";
import { uploads } from "./mailbox/uploads/operations.ts";
import { approvals } from "./owners/approvals/operations.ts";
import { receipts } from "./owners/approvals/receipt-operations.ts";
import { grants } from "./owners/oauth-grants/operations.ts";
import { owners } from "./owners/owners/operations.ts";
import { authority, notes, sessions } from "./owners/sessions/operations.ts";
import { passkeySignIn, passkeys } from "./owners/sessions/passkey-operations.ts";
import { tasks } from "./owners/tasks/operations.ts";
import { digests } from "./owners/updates/digests/operations.ts";
import { updates } from "./owners/updates/operations.ts";
import { questions } from "./owners/updates/questions/operations.ts";
import { phoneNumbers } from "./phone/telephony/operations.ts";
import { attachments, rawLinks } from "./traffic/attachments/operations.ts";
import { contacts } from "./traffic/contacts/operations.ts";
import { expectations } from "./traffic/expectations/operations.ts";
import { forwarding } from "./traffic/forwarding/operations.ts";
import { inbound } from "./traffic/inbound/operations.ts";
import { ruleTest } from "./traffic/inbound/rule-test-operations.ts";
import { ownerMessages } from "./traffic/inbound/voice/operations.ts";
import { rules } from "./traffic/rules/operations.ts";
import { drafts } from "./traffic/sending/drafts/operations.ts";
import { taskReply } from "./traffic/sending/index.ts";
import { sending } from "./traffic/sending/operations.ts";
import { calls } from "./traffic/sending/phone/call.ts";
import { texts } from "./traffic/sending/phone/sms.ts";
import { approvalViews, views } from "./traffic/views/operations.ts";

/**
 * Everything that a caller can do, by resource and verb. The wire table gives each its route; the client and
 * the document follow.
 */
export const operations = {
  accounts,
  account: { ...notes, ...erasing },
  me,
  overview,
  keys,
  grants,
  inboxes,
  usernames,
  messages: {
    ...messages,
    ...sending,
    ...texts,
    ...calls,
    ...inboxSearch,
    ...inbound,
    ...rawLinks,
    ...views,
  },
  threads,
  attachments,
  uploads,
  drafts,
  approvals: { ...approvals, ...receipts, ...approvalViews },
  search,
  owners,
  sessions: { ...sessions, ...passkeySignIn },
  passkeys,
  authority,
  recovery,
  pairings,
  allowlist,
  lists,
  suppressions,
  canaries,
  expectations,
  contacts,
  forwarding,
  rules: { ...rules, ...ruleTest },
  updates,
  questions,
  ownerMessages,
  digests,
  tasks: { ...tasks, ...taskReply, ...taskStream },
  webhooks,
  lifecycle,
  events,
  consumers,
  refusals,
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
