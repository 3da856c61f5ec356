import type { Route } from "@letterslot/client/routes";
import type { Operation } from "@letterslot/core/internal";
import { wireOf } from "../../request/errors.ts";
import type { Content, DocumentedOperation, DocumentedResponse } from "../document.ts";
import { COMMON_ERRORS, errorsOf } from "../errors.ts";
import { sampleOfSchema } from "../samples.ts";
import { type Components, hoist, type Schema } from "../schemas.ts";
import { answersOf } from "./answers.ts";

/** The media type of the forms that pages send. */
export const FORM = "application/x-www-form-urlencoded";

/** The content of a page for people. */
export const PAGE: Content = {
  "text/html": { schema: { type: "string", description: "A page for a person." } },
};

/** Whether an operation is also a page for people: those of letters, and that on which a person asks for one. */
export const hasPage = (name: string, { letter, answers }: Operation): boolean =>
  answers === undefined && (letter !== undefined || name.startsWith("recovery."));

/** Returns the responses of an operation, by status: of each no more than what comes with it. */
export function responsesOf(
  name: string,
  route: Route,
  operation: Operation,
  components: Components,
): DocumentedOperation["responses"] {
  const paged = hasPage(name, operation);
  const statuses = [...errorsOf(operation, route), ...COMMON_ERRORS].map((code) => wireOf(code).status);
  const $ref = `#/components/responses/${paged ? "ErrorOrPage" : "Error"}`;
  const errors = Object.fromEntries(
    statuses.toSorted((one, other) => one - other).map((status) => [String(status), { $ref }]),
  );
  return { ...successesOf(route, operation, paged, components), ...errors };
}

function successesOf(
  { status = 200 }: { status?: number },
  operation: Operation,
  paged: boolean,
  components: Components,
): DocumentedOperation["responses"] {
  const { answers, idempotent } = operation;
  if (answers === "bytes" || answers === "file")
    return { "200": { description: "The file.", content: { "*/*": { schema: BYTES } } } };
  if (answers === "stream")
    return { "200": { description: "The events.", content: { "text/event-stream": { schema: TEXT } } } };

  const { done, held, repeated } = answersOf(operation);
  const answer = (description: string, schema: Schema, sampled = schema): DocumentedResponse => ({
    description,
    content: { ...jsonContent(hoist(schema, components), sampleOfSchema(sampled)), ...(paged ? PAGE : {}) },
  });
  const success = answer("Success.", done);
  if (repeated === undefined) return { [status]: success, ...waiting(held, answer) };
  const marked = idempotent === true ? { headers: REPLAYED_HEADER } : {};
  return {
    [status]: success,
    ...waiting(held, answer),
    "200": {
      ...answer(status === 200 ? SUCCESS_OR_REPEATED : REPEATED, repeated, done),
      ...marked,
    },
  };
}

const waiting = (
  held: Schema | undefined,
  answer: (description: string, schema: Schema) => DocumentedResponse,
): DocumentedOperation["responses"] =>
  held === undefined
    ? {}
    : { "202": answer("Not done yet: it waits for its scheduled time, or for an owner.", held) };

const BYTES: Schema = { type: "string", format: "binary" };
const TEXT: Schema = { type: "string" };

const REPEATED =
  "A repeated call: what the first one made, with `idempotent: true`; `Replayed` if the caller has no permission to read it.";
const SUCCESS_OR_REPEATED = `Success. ${REPEATED}`;

const REPLAYED_HEADER = {
  "Idempotent-Replayed": {
    description: "`true` if this repeats the answer of an earlier call; otherwise absent.",
    required: false,
    schema: { type: "string", enum: ["true"] },
  },
};

/** The responses with an error: of programs alone, and of operations that are pages too. */
export function errorResponses(base_url: string): Record<string, DocumentedResponse> {
  const description = "An error: what went wrong and what to do next.";
  const error = {
    type: "not_found",
    code: "inbox_not_found",
    message: "There is no such inbox.",
    docs_url: `${base_url}/docs#inbox_not_found`,
    request_id: "req_01kab3x9t2m4v6w8y0z5",
    retryable: false,
    fix: "List the inboxes and use an id from the answer.",
  };
  const content = jsonContent({ $ref: "#/components/schemas/Error" }, { error });
  return { Error: { description, content }, ErrorOrPage: { description, content: { ...content, ...PAGE } } };
}

const jsonContent = (schema: Schema, example: unknown): Content => ({
  "application/json": { schema, example },
});
