import {
  type Client,
  createClient,
  LetterslotApiError,
  type Me,
  type Permission,
  type Session,
} from "@letterslot/client";
import { features } from "./features.ts";

/** Where the service is: the console's page is at `console/` beneath it. */
export const BASE_URL = new URL("..", document.baseURI.split("#")[0]).href.replace(/\/$/, "");

/** Whether the service runs on the machine of whoever looks: then a key may outlive a reload of the page. */
const IS_LOCAL = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(`${BASE_URL}/`);

/** Who looks: a person in their session, or a developer with an API key. */
export type Caller =
  | { kind: "person"; session: Session; account_id: string | null }
  | { kind: "key"; me: Me };

const KEY = "letterslot.key";
const ACCOUNT = "letterslot.account";

let api_key = IS_LOCAL ? (sessionStorage.getItem(KEY) ?? undefined) : undefined;
let has_session = features.session === true;
let account_id = linkedAccount() ?? localStorage.getItem(ACCOUNT) ?? undefined;

/** The account that a page of letters leads to, which is looked at from now on. */
function linkedAccount(): string | null {
  const linked = new URLSearchParams(location.search).get("account");
  if (linked === null) return null;
  localStorage.setItem(ACCOUNT, linked);
  history.replaceState(null, "", `${location.pathname}${location.hash}`);
  return linked;
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

const clientWith = (key: string | undefined, send: Send = fetch): Client =>
  createClient({
    baseUrl: BASE_URL,
    // A call names the account that a person looks at; a key has one only.
    fetch: (url: string, init: RequestInit) =>
      key !== undefined || account_id === undefined
        ? send(url, init)
        : send(url, { ...init, headers: { ...init.headers, "x-letterslot-account": account_id } }),
    retries: 1,
    ...(key === undefined ? {} : { apiKey: key }),
  });

/** A client for the same caller that sends its requests another way. */
export const clientBy = (send: Send): Client => clientWith(api_key, send);

/** The client with which everything here is called. */
export let client = clientWith(api_key);

/** Finds out who looks; null: nobody is signed in. Other failures are thrown. */
export async function findCaller(): Promise<Caller | null> {
  try {
    if (api_key !== undefined) return { kind: "key", me: await client.me.get({}) };
    if (!has_session) return null;
    const session = await sessionWithoutAccount();
    const accounts = accountsOf(session);
    if (!accounts.includes(account_id ?? "")) chooseAccount(accounts[0]);
    return { kind: "person", session, account_id: account_id ?? null };
  } catch (error) {
    if (!(error instanceof LetterslotApiError) || (error.status !== 401 && error.code !== "session_required"))
      throw error;
    forgetKey();
    has_session = false;
    return null;
  }
}

/** The account that was looked at last may be another person's. */
const sessionWithoutAccount = (): Promise<Session> =>
  createClient({ baseUrl: BASE_URL, retries: 1 }).sessions.get({});

/** The accounts of a session's person, those that they have charge of first. */
export function accountsOf({ accounts, inboxes }: Session): string[] {
  const whole = accounts.toSorted((one, other) => Number(other.account_owner) - Number(one.account_owner));
  return [...new Set([...whole.map(({ id }) => id), ...inboxes.map((inbox) => inbox.account_id)])];
}

/** Looks at this account from now on. */
export function chooseAccount(id: string | undefined): void {
  account_id = id;
  if (id === undefined) localStorage.removeItem(ACCOUNT);
  else localStorage.setItem(ACCOUNT, id);
}

/** A person has just signed in. */
export function noteSession(): void {
  has_session = true;
}

/** Looks with an API key. It stays in the page's memory, and on this very machine in the tab. Throws if it is wrong. */
export async function useKey(key: string): Promise<void> {
  const candidate = clientWith(key);
  await candidate.me.get({});
  api_key = key;
  client = candidate;
  if (IS_LOCAL) sessionStorage.setItem(KEY, key);
}

function forgetKey(): void {
  api_key = undefined;
  client = clientWith(undefined);
  sessionStorage.removeItem(KEY);
}

/** Signs out: ends the session, or forgets the key. */
export async function signOut(caller: Caller): Promise<void> {
  if (caller.kind === "person") await client.sessions.end({});
  forgetKey();
  has_session = false;
  chooseAccount(undefined);
}

/** Who looks and at which account, as a text: what was answered to another is nobody else's. */
export function identityOf(caller: Caller | null): string {
  if (caller === null) return "";
  if (caller.kind === "key") return `key ${caller.me.key?.id ?? caller.me.account_id}`;
  return `${caller.session.email} ${caller.account_id ?? ""}`;
}

/** Whether the caller has charge of the whole account that they look at; what others may not do isn't shown. */
export function hasWholeAccount(caller: Caller): boolean {
  if (caller.kind === "key") return caller.me.access.inbox_ids === null;
  return caller.session.accounts.some(({ id, account_owner }) => id === caller.account_id && account_owner);
}

/** What having charge of some inboxes alone doesn't allow. */
const OF_WHOLE_ACCOUNT: readonly Permission[] = [
  "inbox_create",
  "webhook_read",
  "webhook_write",
  "domain_read",
  "domain_write",
  "workspace_read",
  "workspace_write",
  "key_read",
  "key_write",
];

/** Whether the caller may do what needs this permission. */
export function may(caller: Caller, permission: Permission): boolean {
  if (caller.kind === "person") return hasWholeAccount(caller) || !OF_WHOLE_ACCOUNT.includes(permission);
  const { permissions } = caller.me.access;
  return permissions === null || permissions.includes(permission);
}
