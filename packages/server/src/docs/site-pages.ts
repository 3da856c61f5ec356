import { ERROR_CATALOGUE, type ErrorCode, type EventType, PERMISSION_NAMES } from "@letterslot/core";
import { eventCatalogue } from "@letterslot/core/internal";
import { wireOf } from "../request/errors.ts";
import type { OpenApiDocument } from "./document.ts";
import { COMMON_ERRORS } from "./errors.ts";
import { eventSample } from "./event-samples.ts";
import { describedBy, fieldsOf } from "./fields.ts";
import { operationsByTag } from "./operation-facts.ts";
import {
  type AddressedOperation,
  codeBlock,
  fieldLines,
  operationPage,
  recordPage,
} from "./operation-markdown.ts";
import { groupName, operationName } from "./operation-names.ts";
import { groupPage, recordsOf, type Setting } from "./reference-markdown.ts";

/** A page of the site's reference: `reference/<name>`. */
export interface SitePage {
  name: string;
  title: string;
  markdown: string;
}

/** A group of operations as the sidebar shows it: its own page first. */
export interface SiteGroup {
  page: SitePage;
  operations: SitePage[];
}

/** The reference of the site. */
export interface SiteReference {
  groups: SiteGroup[];
  records: SitePage[];
  events: SitePage[];
  /** The list of all operations, then records, events, errors, permissions and settings. */
  lists: SitePage[];
}

/** Prints the reference for people: a page for each operation, record and kind of event, and the lists of them. */
export function* siteReference(
  document: OpenApiDocument,
  base_url: string,
  settings: readonly Setting[],
): Generator<undefined, SiteReference> {
  const { schemas } = document.components;
  const groups: SiteGroup[] = [];
  for (const [tag, operations] of operationsByTag(document)) {
    const pages: SitePage[] = [];
    for (const each of operations) {
      const { operationId } = each.operation;
      const markdown = operationPage(each, schemas, base_url);
      pages.push({ name: operationId, title: operationName(operationId), markdown });
      yield;
    }
    groups.push({ page: groupOverview(tag, operations), operations: pages });
  }
  const records = recordsOf(document).map(([name, schema]) => {
    const { description, ...fields } = schema;
    const lines = fieldLines(
      fieldsOf(fields, "answer"),
      schemas,
      (each) => `[${each}](${recordPage(each)}.md)`,
    );
    return page(
      recordPage(name),
      name,
      describedBy({ description, ...fields } as typeof schema),
      lines.join("\n"),
    );
  });
  yield;
  const events = eventKinds().map(([kind, types]) =>
    page(`event-${kind}`, `Events of ${kind}`, undefined, ...types.map(eventSection)),
  );
  return { groups, records, events, lists: listsOf(groups, records, settings) };
}

/** Every page of the reference. */
export const allPages = ({ groups, records, events, lists }: SiteReference): SitePage[] => [
  ...groups.flatMap(({ page: own, operations }) => [own, ...operations]),
  ...records,
  ...events,
  ...lists,
];

const page = (name: string, title: string, ...parts: (string | undefined)[]): SitePage => ({
  name,
  title,
  markdown: [`# ${title}`, ...parts.filter((part) => part !== undefined && part !== "")].join("\n\n"),
});

const groupOverview = (tag: string, operations: readonly AddressedOperation[]): SitePage =>
  page(
    groupPage(tag),
    groupName(tag),
    ...operations.map(({ method, path, operation: { operationId, summary } }) =>
      [
        `## [${operationName(operationId)}](${operationId}.md)`,
        `\`${operationId}\` · \`${method.toUpperCase()} ${path}\``,
        summary,
      ].join("\n\n"),
    ),
  );

/** The types of events, by the word before their period. */
const eventKinds = (): [string, EventType[]][] => [
  ...Map.groupBy(Object.keys(eventCatalogue) as EventType[], (type) => type.split(".")[0] ?? type),
];

const eventSection = (type: EventType): string =>
  `## ${type} {#${type}}\n\n${eventCatalogue[type]}\n\n${codeBlock("json", eventSample(type), "A sample")}`;

function listsOf(
  groups: readonly SiteGroup[],
  records: readonly SitePage[],
  settings: readonly Setting[],
): SitePage[] {
  const operations = groups.map(
    ({ page: { name, title }, operations: each }) =>
      `## [${title}](${name}.md)\n\n${each.map((one) => `- [${one.title}](${one.name}.md) \`${one.name}\``).join("\n")}`,
  );
  return [
    page("operations", "Operations", BEGIN, ...operations),
    page("records", "Records", records.map(({ name, title }) => `- [${title}](${name}.md)`).join("\n")),
    page("events", "Events", ABOUT_EVENTS, ...eventKinds().map(eventList)),
    page("errors", "Errors", ABOUT_ERRORS, ...errorSections()),
    page(
      "permissions",
      "Permissions",
      "A key has any of these permissions; one with `permissions: null` has all of them.",
      PERMISSION_NAMES.map((name) => `- \`${name}\``).join("\n"),
    ),
    page("settings", "Settings", ABOUT_SETTINGS, ...settings.map(settingSection)),
  ];
}

const BEGIN = `Send your key as \`Authorization: Bearer …\`. Bodies are JSON objects; unknown fields are rejected. Lists answer with
\`data\`, \`has_more\` and \`next_cursor\`: send that as \`cursor\` to get the next page. The whole interface is in \`/openapi.json\`.`;

const ABOUT_EVENTS = `Webhooks, the feed and streams carry the same envelope; \`type\` says what \`data\` holds.

## Verifying a webhook

Events arrive as JSON in POST requests. Verify the signature before you trust one, reject timestamps more than 5 minutes off, and ignore an
\`x-svc-delivery\` that you have already seen. \`verifyWebhook\` in \`@letterslot/client\` does all of this.

- \`x-svc-signature\`: \`sha256=\` and the hex HMAC-SHA256 of the raw body.
- \`x-svc-signature-v2\`: \`v1=\` and the hex HMAC-SHA256 of \`x-svc-timestamp\`, a period and the raw body.
- \`webhook-signature\`: Standard Webhooks; any of its libraries verifies it.

The key of the first two is the whole secret as text. For 24 hours after a rotation both secrets sign, separated by a comma: accept the event if
any part matches.`;

const eventList = ([kind, types]: [string, EventType[]]): string =>
  `## ${kind}\n\n${types.map((type) => `- [\`${type}\`](event-${kind}.md#${type}): ${eventCatalogue[type]}`).join("\n")}`;

const ABOUT_ERRORS = `Branch on \`error.code\`. \`error.fix\` says what to do next, \`error.retryable\` whether to retry.

Any call may answer with ${COMMON_ERRORS.map((code) => `[\`${code}\`](#${code})`).join(", ")}.`;

function errorSections(): string[] {
  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
  const byStatus = [...Map.groupBy(codes, (code) => wireOf(code).status)].toSorted(([a], [b]) => a - b);
  return byStatus.flatMap(([status, each]) => [
    `## ${status}`,
    ...each.toSorted().map((code) => {
      const { message, fix } = ERROR_CATALOGUE[code];
      return `### \`${code}\` {#${code}}\n\n${message} ${fix}`;
    }),
  ]);
}

const ABOUT_SETTINGS =
  "Environment variables of `letterslot-server`; a .env file in its working directory is read too.";

const settingSection = ({ name, meaning, expects, fallback }: Setting): string =>
  `## \`${name}\` {#${name}}\n\n${meaning}\n\nTakes ${expects}. Default: ${fallback}.`;

/** Every error code with its meaning and what to do next, in the order of the alphabet. */
export const errorEntries = (): [code: ErrorCode, text: string][] =>
  (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).toSorted().map((code) => {
    const { message, fix } = ERROR_CATALOGUE[code];
    return [code, `${message} ${fix}`];
  });
