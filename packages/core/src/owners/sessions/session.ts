import type { z } from "zod";
import { authoritiesOf } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { Session, SessionRecord } from "../../model/people.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { accountsOf, isNoted, sessionEnd } from "./rules.ts";

const MAX_OWNED = 200;

/**
 * Returns the live session of a cookie and records its use, at most once a minute. Undefined when there is none or it
 * has ended.
 */
export async function findSession(
  { storage }: Pick<Services, "storage">,
  session_token: string,
  now: Date,
): Promise<SessionRecord | undefined> {
  const [session] = await storage.find("sessions", {
    where: { token_hash: hashSecret(session_token) },
    limit: 1,
  });
  if (session === undefined || session.expires_at <= iso(now)) return undefined;
  if (isNoted(session, now)) return session;
  const [seen] = await storage.update(
    "sessions",
    { id: session.id },
    { last_seen_at: iso(now), expires_at: iso(sessionEnd(session, now)) },
  );
  return seen;
}

/** Returns the public form of a session: the accounts that its person has authority over, and the inboxes they own. */
export async function showSession(
  services: Pick<Services, "storage" | "options">,
  { id, email, created_at, expires_at }: Omit<SessionRecord, "id" | "token_hash"> & { id: string | null },
): Promise<z.input<typeof Session>> {
  const { storage } = services;
  const authorities = await authoritiesOf(services, storage, email);
  const owners = await storage.find("owners", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: MAX_OWNED,
  });
  const ids = [
    ...authorities.map(({ inbox_id }) => inbox_id),
    ...owners.filter(({ status }) => status === "verified").map(({ inbox_id }) => inbox_id),
  ].filter((inbox_id) => inbox_id !== null);
  const unique = [...new Set(ids)];
  const inboxes =
    unique.length === 0
      ? []
      : await storage.find("inboxes", { where: { id: { in: unique } }, limit: unique.length });
  const workspaces = await workspacesOf(storage, inboxes);
  return {
    id,
    email,
    accounts: [...accountsOf(authorities)].map(([account_id, account_owner]) => ({
      id: account_id,
      account_owner,
    })),
    inboxes: inboxes.map((inbox) => ({
      id: inbox.id,
      email: inbox.email,
      account_id: inbox.account_id,
      workspace: workspaces.get(inbox.account_id) ?? null,
    })),
    created_at,
    expires_at,
  };
}

/** The ids of the workspaces that inboxes belong to, by their sub-accounts. */
async function workspacesOf(
  storage: Pick<StorageReader, "find">,
  inboxes: readonly Pick<InboxRecord, "account_id">[],
): Promise<Map<string, string>> {
  const accounts = [...new Set(inboxes.map(({ account_id }) => account_id))];
  if (accounts.length === 0) return new Map();
  const where = { account_id: { in: accounts } };
  const workspaces = await storage.find("workspaces", { where, limit: accounts.length });
  return new Map(workspaces.map(({ account_id, id }) => [account_id, id]));
}
