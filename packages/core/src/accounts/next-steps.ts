import type { Options } from "../catalogue/options.ts";
import type { InboxRecord } from "../model/inboxes.ts";

/** What a new agent does next: the step that matters most, and where each common step is described. */
export function nextSteps(
  { base_url }: Pick<Options, "base_url">,
  inbox: Pick<InboxRecord, "id" | "email">,
  owner_email: string | undefined,
) {
  const docs_url = `${base_url}/docs`;
  const snippet = (id: string, title: string, operation: string) => ({
    id,
    title,
    url: `${docs_url}#${operation}`,
  });
  const asked = owner_email !== undefined;
  return {
    instruction: asked
      ? `Keep api_key: it is not shown again. ${owner_email} was sent a link and a code; ask them to confirm, then send and receive as ${inbox.email}.`
      : `Keep api_key: it is not shown again. Add the person you work for with POST /api/v1/inboxes/${inbox.id}/owners, then send and receive as ${inbox.email}.`,
    docs_url,
    recommended: asked ? "confirm_owner" : "add_owner",
    snippets: [
      asked
        ? snippet("confirm_owner", "Confirm the owner with the code from their letter", "owners.confirm")
        : snippet("add_owner", "Add the person you work for", "owners.create"),
      snippet("send_message", "Send a message", "messages.send"),
      snippet("wait_for_mail", "Wait for new mail", "messages.wait"),
      snippet("list_tasks", "Get the tasks that your owner mails you", "tasks.list"),
      snippet("send_update", "Report to your owner", "updates.create"),
    ],
  };
}
