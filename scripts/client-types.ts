import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ERROR_CATALOGUE } from "../packages/core/src/catalogue/errors.ts";
import { EVENT_TYPES, eventCatalogue } from "../packages/core/src/catalogue/events.ts";
import { PERMISSION_NAMES } from "../packages/core/src/catalogue/permissions.ts";
import { operationNamed } from "../packages/core/src/letterslot.ts";
import { Explanation } from "../packages/core/src/mailbox/messages/explain.ts";
import { InboxCode } from "../packages/core/src/mailbox/messages/wait-for-code.ts";
import { Me, Onboarding } from "../packages/core/src/model/accounts.ts";
import { AllowlistEntry } from "../packages/core/src/model/allowlist.ts";
import { Approval, ApprovalReview } from "../packages/core/src/model/approvals.ts";
import { Grant } from "../packages/core/src/model/apps.ts";
import { Attachment } from "../packages/core/src/model/attachments.ts";
import { Canary, NewCanary } from "../packages/core/src/model/canaries.ts";
import { Consumer } from "../packages/core/src/model/consumers.ts";
import { Contact } from "../packages/core/src/model/contacts.ts";
import { DigestFlush } from "../packages/core/src/model/digests.ts";
import { DnsRecord, DomainWarning } from "../packages/core/src/model/domain-records.ts";
import { DomainReport } from "../packages/core/src/model/domain-reports.ts";
import { Domain } from "../packages/core/src/model/domains.ts";
import { Draft } from "../packages/core/src/model/drafts.ts";
import { EVENT_DATA } from "../packages/core/src/model/events.ts";
import { Expectation } from "../packages/core/src/model/expectations.ts";
import { AccountExport } from "../packages/core/src/model/exports.ts";
import { Envelope, Event } from "../packages/core/src/model/feed.ts";
import { FileLink, MessageView } from "../packages/core/src/model/file-links.ts";
import { Forwarding, ForwardingConfirmation } from "../packages/core/src/model/forwardings.ts";
import { InboxRule } from "../packages/core/src/model/inbox-rules.ts";
import { Inbox } from "../packages/core/src/model/inboxes.ts";
import { Key, NewKey } from "../packages/core/src/model/keys.ts";
import { LifecycleSubscription } from "../packages/core/src/model/lifecycle.ts";
import { ListEntry } from "../packages/core/src/model/lists.ts";
import { DeliveryEvent, MessageAuth } from "../packages/core/src/model/message-facts.ts";
import { Message, MessageSummary } from "../packages/core/src/model/messages.ts";
import { EventMetrics, RateMetrics, UsageMetrics } from "../packages/core/src/model/metrics.ts";
import { Overview } from "../packages/core/src/model/overview.ts";
import { OwnerMessage } from "../packages/core/src/model/owner-messages.ts";
import {
  Owner,
  OwnerConfirmation,
  OwnerPreferences,
  OwnerSubscription,
} from "../packages/core/src/model/owners.ts";
import { NewPairing, Paired, Pairing } from "../packages/core/src/model/pairings.ts";
import { DecisionStatement, Passkey, PasskeyOptions } from "../packages/core/src/model/passkeys.ts";
import { Authority, Session, SessionStart, SessionSummary } from "../packages/core/src/model/people.ts";
import { AvailablePhoneNumber, PhoneNumber } from "../packages/core/src/model/phone-numbers.ts";
import { Question, QuestionReview } from "../packages/core/src/model/questions.ts";
import { ApprovalReceipt } from "../packages/core/src/model/receipts.ts";
import { RecoveredKey, Recovery, RecoveryReview } from "../packages/core/src/model/recovery.ts";
import { Refusal } from "../packages/core/src/model/refusals.ts";
import { Replayed } from "../packages/core/src/model/replayed.ts";
import { Safety } from "../packages/core/src/model/screening.ts";
import { SearchHit } from "../packages/core/src/model/search.ts";
import { SendCheck } from "../packages/core/src/model/send-checks.ts";
import { Suppression } from "../packages/core/src/model/suppressions.ts";
import { Task, TaskClaim } from "../packages/core/src/model/tasks.ts";
import { Thread } from "../packages/core/src/model/threads.ts";
import { Update, UpdateDelivery } from "../packages/core/src/model/updates.ts";
import { NewUpload, Upload } from "../packages/core/src/model/uploads.ts";
import { Delivery, Webhook } from "../packages/core/src/model/webhooks.ts";
import { Workspace } from "../packages/core/src/model/workspaces.ts";
import { operations } from "../packages/core/src/operations.ts";
import { plainSchema, type Schema } from "../packages/server/src/docs/schemas.ts";

/**
 * Prints the types that callers send and receive as plain TypeScript, for the published declarations of the client and of
 * core: named types that need no library, with a sentence on each call and field. Arguments: the file to write, and `core`
 * where core's answers include downloads and streams.
 */
const RESOURCES = {
  AccountExport,
  ...{
    AllowlistEntry,
    Approval,
    ApprovalReceipt,
    ApprovalReview,
    Attachment,
    Authority,
    AvailablePhoneNumber,
    Canary,
    Consumer,
  },
  ...{ DecisionStatement, Delivery, DeliveryEvent },
  ...{
    DigestFlush,
    DnsRecord,
    Domain,
    DomainReport,
    DomainWarning,
    Draft,
    EventMetrics,
    Contact,
    Expectation,
    Explanation,
    FileLink,
    Inbox,
    InboxCode,
    Forwarding,
    ForwardingConfirmation,
    InboxRule,
    Grant,
    Key,
    LifecycleSubscription,
    ListEntry,
  },
  ...{
    Me,
    Message,
    MessageAuth,
    MessageSummary,
    MessageView,
    NewCanary,
    NewKey,
    NewPairing,
    NewUpload,
    Onboarding,
    Owner,
    OwnerConfirmation,
  },
  ...{
    OwnerMessage,
    OwnerPreferences,
    OwnerSubscription,
    Passkey,
    PasskeyOptions,
    Overview,
    Paired,
    Pairing,
    PhoneNumber,
    Question,
    QuestionReview,
    RateMetrics,
    RecoveredKey,
    Recovery,
    RecoveryReview,
    Refusal,
    Replayed,
    Safety,
    SearchHit,
    SendCheck,
    Session,
  },
  ...{ SessionStart, SessionSummary, Suppression, Task, TaskClaim, Thread, Update, UpdateDelivery },
  ...{ Upload, UsageMetrics, Webhook, Workspace },
};

/** What core answers where it isn't a record. */
const ANSWERS = { bytes: "Download", file: "StreamedDownload", stream: "AsyncIterable<StreamItem>" };
const CORE_IMPORTS = `import type { StreamItem } from "../events/feed/stream.ts";
import type { Download, StreamedDownload } from "./attachments.ts";
`;

type Direction = "input" | "output";

function printTypes(forCore: boolean): string {
  const shown = Object.entries(RESOURCES).map(
    ([name, schema]) => [name, plainSchema(schema, "output")] as const,
  );
  const names = new Map(shown.map(([name, schema]) => [identity(schema), name]));
  names.set(identity(plainSchema(Event, "output")), "Event");
  const type = (schema: Schema, direction: Direction, named = true) =>
    typeText(schema, direction, named ? names : withoutSelf(names, schema));
  const { type: _type, data: _data, ...envelope } = plainSchema(Envelope, "output").properties ?? {};

  const records = shown.map(([name, schema]) => `export interface ${name} ${type(schema, "output", false)}`);
  const eventData = EVENT_TYPES.map(
    (name) =>
      `${comment(eventCatalogue[name])}${JSON.stringify(name)}: ${type(plainSchema(EVENT_DATA[name], "output"), "output")};`,
  );
  const inputs: string[] = [];
  /** What a call takes, by a name of its own, so that an editor shows the whole call in a line. */
  const inputOf = (call: string, printed: string): string => {
    if (!printed.startsWith("{")) return printed;
    const name = `${call.replaceAll(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}Input`;
    inputs.push(`/** What \`${call}\` takes. */\nexport interface ${name} ${printed}`);
    return name;
  };
  const calls = Object.entries(operations).map(([group, verbs]) => {
    const members = Object.keys(verbs).map((verb) => {
      const { summary, when, input, output, pages, idempotent, answers } = operationNamed(`${group}.${verb}`);
      const printed = answers === undefined ? type(plainSchema(output, "output"), "output") : "unknown";
      const answer = forCore && answers !== undefined ? ANSWERS[answers] : printed;
      const facts = {
        pages,
        idempotent,
        answers: answers === undefined ? undefined : JSON.stringify(answers),
      };
      const fields = Object.entries(facts).map(([fact, value]) => `${fact}: ${String(value)};`);
      return `${comment(`${summary} ${when ?? ""}`)}${verb}: { input: ${inputOf(`${group}.${verb}`, type(plainSchema(input, "input"), "input"))}; output: ${answer}; ${fields.join(" ")} };`;
    });
    return `${group}: {\n${members.join("\n")}\n};`;
  });

  return `${[
    ...(forCore ? [CORE_IMPORTS] : []),
    union("ErrorCode", Object.keys(ERROR_CATALOGUE), "A code in the server's catalogue of errors."),
    union("EventType", EVENT_TYPES, "What an event is about."),
    union("Permission", PERMISSION_NAMES, "What a key may do."),
    ...records,
    `/** The data of each type of event. */\nexport interface EventData {\n${eventData.join("\n")}\n}`,
    `export interface EventEnvelope ${type({ type: "object", properties: envelope, required: Object.keys(envelope) }, "output")}`,
    '/** An event: `type` says what `data` holds. `Event<"message.held">` is an event of one type. */\n' +
      "export type Event<T extends EventType = EventType> = { [K in T]: EventEnvelope & {\n  /** Its subject. */\n  type: K;\n  /** The fields that its type has. */\n  data: EventData[K];\n} }[T];",
    `/** Every operation's input, answer and facts, by resource and verb. */\nexport interface Calls {\n${calls.join("\n")}\n}`,
    "/** An operation's full name, such as `messages.send`. */\n" +
      "export type OperationName = { [G in keyof Calls]: `${G}.${keyof Calls[G] & string}` }[keyof Calls];",
    ...inputs,
  ].join("\n\n")}\n`;
}

function union(name: string, members: readonly string[], description: string): string {
  return `${comment(description)}export type ${name} = ${members.map((member) => JSON.stringify(member)).join(" | ")};`;
}

/** Returns the identity of a schema: everything but the description and title of the whole. */
function identity({ description: _description, title: _title, ...schema }: Schema): string {
  return JSON.stringify(schema);
}

function withoutSelf(names: ReadonlyMap<string, string>, schema: Schema): Map<string, string> {
  return new Map([...names].filter(([known]) => known !== identity(schema)));
}

function typeText(schema: Schema, direction: Direction, names: ReadonlyMap<string, string>): string {
  const within = (inner: Schema) => typeText(inner, direction, names);
  const name = direction === "output" ? namedType(schema, names) : undefined;
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return [...new Set(several.map(within))].join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => within({ ...schema, type })).join(" | ");
  if (schema.type === "array") return arrayOf(schema.items === undefined ? "unknown" : within(schema.items));
  if (schema.type === "object") return objectText(schema, direction, names);
  return PLAIN[schema.type ?? ""] ?? "unknown";
}

const PLAIN: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

const arrayOf = (item: string): string =>
  item.includes("|") || item.includes("&") ? `(${item})[]` : `${item}[]`;

/** The name of a record, also of one that says whether an earlier call made it. */
function namedType(schema: Schema, names: ReadonlyMap<string, string>): string | undefined {
  const name = names.get(identity(schema));
  if (name !== undefined || schema.properties?.["idempotent"] === undefined) return name;
  const { idempotent: _idempotent, ...properties } = schema.properties;
  const required = schema.required?.filter((field) => field !== "idempotent");
  const record = names.get(
    identity({ ...schema, properties, ...(required === undefined ? {} : { required }) }),
  );
  return record === undefined ? undefined : `${record} & { idempotent: boolean }`;
}

function objectText(
  { properties = {}, required = [], additionalProperties }: Schema,
  direction: Direction,
  names: ReadonlyMap<string, string>,
): string {
  const fields = Object.entries(properties);
  if (fields.length === 0) {
    const values =
      typeof additionalProperties === "object" ? typeText(additionalProperties, direction, names) : undefined;
    return values === undefined ? "Record<string, never>" : `Record<string, ${values}>`;
  }
  const lines = fields.map(([name, field]) => {
    const type = typeText(field, direction, names);
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    if (required.includes(name)) return `${comment(saidOf(field))}${key}: ${type};`;
    return `${comment(saidOf(field))}${key}?: ${type}${direction === "input" ? " | undefined" : ""};`;
  });
  return `{\n${lines.join("\n")}\n}`;
}

/** Returns the description of a field's schema: its own, or that of one of its alternatives. */
const saidOf = ({ description, anyOf = [], oneOf = [] }: Schema): string | undefined =>
  description ?? [...anyOf, ...oneOf].find((option) => option.description !== undefined)?.description;

/** A comment for editors; a constant's value is in its type. */
const comment = (text: string | undefined): string =>
  text === undefined || text.trim() === "" || text.startsWith("Always `")
    ? ""
    : `/** ${text.trim().replaceAll("*/", "*\\/")} */\n`;

const [file, reader] = process.argv.slice(2);
if (file === undefined) throw new Error("name the file to write");
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, printTypes(reader === "core"));
