import type { BoundOperations, Person, Session } from "@letterslot/core";
import { shownTimeWithYear } from "@letterslot/core/internal";
import { html } from "hono/html";
import type { ServerState } from "../../request/context.ts";
import { appName } from "../apps/consent-markup.ts";
import type { Markup } from "../layout.ts";

type Grant = Awaited<ReturnType<BoundOperations["grants"]["list"]>>["data"][number];

/** An app that a person admitted, or sees because they own an account. */
export interface ConnectedApp extends Grant {
  account_id: string;
  /** The address of the only inbox that it reaches; null for several, or for the whole account. */
  inbox_email: string | null;
}

/** The apps that a person may disconnect, in all their accounts. */
export async function connectedApps(
  { letterslot }: ServerState,
  person: Person,
  { accounts, inboxes }: Session,
): Promise<ConnectedApp[]> {
  const apps = accounts.map(async ({ id: account_id }) => {
    const caller = await letterslot.callerFor(person, "grants.list", { account_id });
    const { data } = await letterslot.as(caller).grants.list({});
    return data.map((app) => {
      const inbox = inboxes.find(({ id }) => id === app.inbox_id);
      return { ...app, account_id, inbox_email: inbox?.email ?? null };
    });
  });
  return (await Promise.all(apps)).flat();
}

/** Ends an app's access at once. Fails with `grant_not_found` or as `callerFor` does. */
export async function disconnectApp(
  { letterslot }: ServerState,
  person: Person,
  { account_id, client_id }: { account_id: string; client_id: string },
): Promise<void> {
  const caller = await letterslot.callerFor(person, "grants.delete", { account_id });
  await letterslot.as(caller).grants.delete({ client_id });
}

/** The list of a person's apps, each with a button that disconnects it. */
export function connectedAppsMarkup(apps: readonly ConnectedApp[]): Markup {
  if (apps.length === 0) return html``;
  return html`<h2>Connected apps</h2>
${apps.map(
  ({
    account_id,
    client_id,
    client_name,
    redirect_hosts,
    connected_at,
    inbox_email,
  }) => html`<form method="post" action="sign-in">
<p><strong>${appName(client_name)}</strong> (${redirect_hosts.join(", ")}), since ${shownTimeWithYear(connected_at)}${inbox_email === null ? "" : `, for ${inbox_email}`}</p>
<input type="hidden" name="account_id" value="${account_id}">
<button type="submit" name="disconnect" value="${client_id}" class="quiet lone" aria-label="Disconnect ${appName(client_name)}">Disconnect</button>
</form>`,
)}`;
}
