import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FOLDERS } from "../../packages/console/app/views/mail/place.ts";
import { agent } from "../../packages/console/app/words/en-agent.ts";
import { operations } from "../../packages/console/app/words/en-operations.ts";

/** What views are about: each id that is stated has its views. */
export interface Things {
  inbox_id: string;
  /** A word to search for. */
  word?: string | undefined;
  thread_id?: string | undefined;
  approval_id?: string | undefined;
  webhook_id?: string | undefined;
  domain_id?: string | undefined;
  export_id?: string | undefined;
  update_id?: string | undefined;
}

/** Every view of the console, about these things, by its name. */
export function viewsAbout(things: Things): Record<string, string> {
  const { inbox_id, word, thread_id, approval_id, webhook_id, domain_id, export_id, update_id } = things;
  const mail = `/inboxes/${inbox_id}`;
  const areas = Object.keys(operations.areas);
  const tabs = Object.keys(agent.tabs).filter((tab) => tab !== "conversation");
  const folders = FOLDERS.filter((folder) => folder !== "inbox");
  return {
    "needs-you": "/",
    start: "/start",
    approvals: "/approvals",
    "approvals-pending": "/approvals/status/pending",
    ...(approval_id === undefined ? {} : { approval: `/approvals/${approval_id}` }),
    inboxes: "/inboxes",
    mail,
    ...named("mail", `${mail}/in`, folders),
    ...(word === undefined ? {} : { "mail-search": `${mail}/search/${word}` }),
    ...(thread_id === undefined ? {} : { "mail-thread": `${mail}/threads/${thread_id}` }),
    "held-mail": "/inboxes/all/held",
    questions: "/inboxes/all/questions",
    agent: `${mail}/agent`,
    ...(update_id === undefined ? {} : { "agent-question": `${mail}/agent/question/${update_id}` }),
    ...named("agent", `${mail}/agent`, tabs),
    operations: "/operations",
    ...named("operations", "/operations", areas),
    "operations-lists-send": "/operations/lists/send",
    ...(webhook_id === undefined ? {} : { "operations-webhook": `/operations/webhooks/${webhook_id}` }),
    ...(domain_id === undefined ? {} : { "operations-domain": `/operations/domains/${domain_id}` }),
    ...(export_id === undefined ? {} : { "operations-export": `/operations/settings/${export_id}` }),
    you: "/you",
    ...named("you", "/you", ["passkeys", "sessions"]),
  };
}

const named = (prefix: string, path: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`${prefix}-${name}`, `${path}/${name}`]));

const APP = readFileSync(
  fileURLToPath(new URL("../../packages/console/app/app.tsx", import.meta.url)),
  "utf8",
);

/** Addresses that lead elsewhere, and views of the machine alone, which are about no account. */
const NO_VIEWS_OF_ACCOUNTS = ["/sign-in", "/outbox/:name?", "/phone"];

/** Every address that the app knows, as it knows it: `/approvals/:approval_id`. */
export const ROUTES: readonly string[] = [...APP.matchAll(/<Route\b[^>]*?\spath="([^"]+)"/g)].map(
  ([, path = ""]) => path,
);

/** The addresses that the app knows and none of these paths has. */
export function routesWithout(paths: readonly string[]): string[] {
  // Those that say more come first, as an address is shown by one of them alone.
  const patterns = ROUTES.map((route) => {
    const source = route.replace(/\/\*\?$/, "(?:/.*)?").replace(/\/:\w+(\?)?/g, "(?:/[^/]+)$1");
    return [route, new RegExp(`^${source}$`)] as const;
  });
  const shown = new Set(paths.map((path) => patterns.find(([, pattern]) => pattern.test(path))?.[0]));
  return ROUTES.filter((route) => !shown.has(route) && !NO_VIEWS_OF_ACCOUNTS.includes(route));
}
