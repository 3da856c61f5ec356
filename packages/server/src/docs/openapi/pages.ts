import type { DocumentedOperation, OpenApiDocument, Parameter } from "../document.ts";
import { FORM, PAGE } from "./responses.ts";

type Paths = OpenApiDocument["paths"];

/** A page for people that is no operation. */
interface Page {
  operationId: string;
  method: "get" | "post";
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The fields of its query, and for a POST those of its form. */
  fields: Record<string, string>;
  /** The statuses of its errors, which are pages too. */
  errors: string[];
  /** It may lead to another page, or to the app that asked. */
  leads_on?: true;
}

const TOKEN = "The token of the letter.";
const CODE = "The code from the letter that the page has sent.";

const PAGES: readonly Page[] = [
  {
    operationId: "owners.unsubscribe.page",
    method: "get",
    path: "/api/v1/owners/unsubscribe",
    tag: "owners",
    summary: "The page of an owner's letters that asks whether updates are to stop. It changes nothing.",
    description: "A person opens the link of a letter; programs have owners.unsubscribe.",
    fields: { token: TOKEN },
    errors: ["400"],
  },
  {
    operationId: "recovery.page",
    method: "get",
    path: "/api/v1/recover",
    tag: "recovery",
    summary: "The page on which a person who lost a key asks for a letter. It changes nothing.",
    description: "A person opens it in a browser; programs have recovery.start.",
    fields: {},
    errors: [],
  },
  {
    operationId: "sessions.page",
    method: "get",
    path: "/api/v1/owners/sign-in",
    tag: "sessions",
    summary: "The page on which a person signs in, and sees the apps that they have let in.",
    description:
      "A person opens it, or the link of a letter; programs have sessions.start and sessions.create.",
    fields: { token: TOKEN },
    errors: ["400", "401", "429"],
  },
  {
    operationId: "sessions.page.submit",
    method: "post",
    path: "/api/v1/owners/sign-in",
    tag: "sessions",
    summary: "Signs a person in or out, or takes an app's access away, by the form of the sign-in page.",
    description: "The sign-in page sends it; programs have sessions.create, sessions.end and grants.delete.",
    fields: {
      email: "The person's address.",
      code: CODE,
      token: TOKEN,
      sign_out: "Any value ends the session.",
      disconnect: "The client id of the app whose access ends.",
      account_id: "The account that the app has access to.",
    },
    errors: ["400", "401", "403", "404", "429"],
    leads_on: true,
  },
  {
    operationId: "pairings.page",
    method: "get",
    path: "/api/v1/owners/pair",
    tag: "pairings",
    summary: "The page on which a person makes a code for an agent, and sees who was let in.",
    description: "A person opens it in a browser; programs have pairings.create and pairings.list.",
    fields: {},
    errors: ["401"],
  },
  {
    operationId: "pairings.page.submit",
    method: "post",
    path: "/api/v1/owners/pair",
    tag: "pairings",
    summary: "Signs a person in, makes a code, or undoes a pairing, by the form of the page.",
    description: "The page sends it; programs have pairings.create and pairings.delete.",
    fields: {
      email: "The person's address; it may be new here.",
      code: CODE,
      make: "Any value makes a code.",
      place: "The inbox that the code is for; empty for a new one.",
      send_mode: "The send mode of a new inbox.",
      undo: "The pairing that is undone.",
    },
    errors: ["400", "401", "403", "404", "409", "429"],
    leads_on: true,
  },
  {
    operationId: "pairings.page.status",
    method: "get",
    path: "/api/v1/owners/pair/status",
    tag: "pairings",
    summary: "The part of the page that shows who used a code.",
    description: "The page of a new code has it in a frame; programs have pairings.list.",
    fields: { id: "The pairing's id." },
    errors: ["401"],
  },
  {
    operationId: "ownerMessages.page",
    method: "get",
    path: "/api/v1/owners/write",
    tag: "ownerMessages",
    summary: "The page on which a person writes to their agent. It changes nothing.",
    description: "A person opens it in a browser; programs have ownerMessages.create.",
    fields: { inbox_id: "The inbox whose agent is chosen." },
    errors: ["401"],
  },
  {
    operationId: "ownerMessages.page.submit",
    method: "post",
    path: "/api/v1/owners/write",
    tag: "ownerMessages",
    summary: "Signs a person in, and sends what they wrote to their agent, by the form of the page.",
    description: "The page sends it; programs have ownerMessages.create.",
    fields: {
      email: "The person's address.",
      inbox_id: "The inbox whose agent is written to.",
      text: "What the agent is to do or know.",
      client_id: "The form's own id, so that it counts once.",
    },
    errors: ["400", "401", "403", "429"],
  },
  {
    operationId: "passkeys.page",
    method: "get",
    path: "/api/v1/owners/your-passkeys",
    tag: "passkeys",
    summary: "The page on which a person sees, adds and removes their passkeys.",
    description: "A person opens it in a browser; programs have passkeys.list.",
    fields: {},
    errors: ["401"],
  },
  {
    operationId: "passkeys.page.submit",
    method: "post",
    path: "/api/v1/owners/your-passkeys",
    tag: "passkeys",
    summary: "Signs a person in, or adds or removes a passkey, by the form of the page.",
    description: "The page sends it; programs have passkeys.create and passkeys.delete.",
    fields: {
      email: "The person's address.",
      sign_in_code: CODE,
      again: "Any value signs in anew.",
      name: "What the person calls a new passkey.",
      made: "The new passkey, as JSON.",
      confirm: "What an older one signed, as JSON.",
      remove: "The passkey that is removed.",
    },
    errors: ["400", "401", "403", "404", "409", "429"],
    leads_on: true,
  },
  {
    operationId: "approvals.receipt.page",
    method: "post",
    path: "/api/v1/owners/approve/receipt",
    tag: "approvals",
    summary:
      "Downloads the receipt of a decision, by the button of the page of the letter that asked for it.",
    description:
      "The page sends it; without a session it first asks for a code. Programs have approvals.receipt.",
    fields: { token: TOKEN, sign_in_code: CODE },
    errors: ["400", "401", "403", "404", "429"],
  },
  {
    operationId: "authority.page.submit",
    method: "post",
    path: "/api/v1/owners/charge",
    tag: "authority",
    summary: "Takes charge of an account, by the form of the page of confirmation.",
    description: "The page sends it; programs have authority.create.",
    fields: {
      account_id: "The account.",
      inbox_id: "The inbox that the person owns.",
      email: "The person's address.",
      code: CODE,
    },
    errors: ["400", "401", "403", "404", "409", "429"],
  },
];

const APP_PAGES: readonly Page[] = [
  {
    operationId: "oauth.consent",
    method: "get",
    path: "/oauth/consent/{id}",
    tag: "oauth",
    summary: "The page on which a person is asked whether an app may have access.",
    description: "GET /oauth/authorize leads the person's browser here.",
    fields: {},
    errors: ["400", "404"],
    leads_on: true,
  },
  {
    operationId: "oauth.consent.submit",
    method: "post",
    path: "/oauth/consent/{id}",
    tag: "oauth",
    summary: "Takes the person's answer, and leads the browser back to the app.",
    description: "The page of consent sends it: what it asks differs from step to step.",
    fields: {},
    errors: ["400", "403", "404", "429"],
    leads_on: true,
  },
  {
    operationId: "oauth.code",
    method: "get",
    path: "/oauth/code",
    tag: "oauth",
    summary: "The page that shows a code to type into a program that no browser can go back to.",
    description: "It is the redirect URI of programs at a command line.",
    fields: { code: "What to type into the program.", error: "What went wrong instead." },
    errors: [],
  },
];

/** Adds the pages for people that are no operations; those of the authorization server where there is one. */
export function withPages(base_url: string, lets_apps_in: boolean, paths: Paths): Paths {
  const all = { ...paths };
  for (const page of [...PAGES, ...(lets_apps_in ? APP_PAGES : [])])
    all[page.path] = { ...all[page.path], [page.method]: described(base_url, page) };
  return all;
}

function described(base_url: string, page: Page): DocumentedOperation {
  const { operationId, method, path, tag, summary, description, fields, errors, leads_on } = page;
  const inPath = [...path.matchAll(/\{([a-z]+)\}/g)].map(
    ([, name = ""]): Parameter => ({
      name,
      in: "path",
      required: true,
      description: "The id of the request, from the address that led here.",
      schema: { type: "string" },
    }),
  );
  const inQuery = Object.entries(fields).map(
    ([name, said]): Parameter => ({
      name,
      in: "query",
      required: false,
      description: said,
      schema: { type: "string" },
    }),
  );
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, said]) => [name, { type: "string", description: said }]),
  );
  const form = { required: true, content: { [FORM]: { schema: { type: "object", properties } } } };
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: [{}],
    "x-errors": tag === "oauth" ? ["route_not_found"] : [],
    "x-codeSamples": [
      {
        lang: "Shell",
        label: "curl",
        source: `curl ${method === "post" ? "-X POST " : ""}${base_url}${path.replace("{id}", "…")}`,
      },
    ],
    parameters: method === "get" ? [...inPath, ...inQuery] : inPath,
    ...(method === "post" ? { requestBody: form } : {}),
    responses: {
      "200": { description: "A page.", content: PAGE },
      ...(leads_on ? { "303": { description: "To the next page, or back to the app." } } : {}),
      ...Object.fromEntries(
        errors.map((status) => [status, { description: "A page that says what went wrong.", content: PAGE }]),
      ),
    },
  };
}
