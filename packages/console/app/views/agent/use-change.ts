import type { Inbox } from "@letterslot/client";
import { useAct } from "../../api/queries.ts";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

/** What is changed of an inbox. */
export type Change = Partial<Pick<Inbox, "send_mode" | "screening" | "status">> & {
  display_name?: string;
  /** The mode is to hold for all inboxes of the account. */
  for_all?: true;
};

/** Changes the inbox; what others decide then waits for them. */
export function useChange(inbox_id: string) {
  return useAct(
    async (client, change: Change) => {
      const changed = await client.inboxes.update({ inbox_id, ...change });
      const { saved, savedForAll } = words.agent.settings;
      const done = change.for_all === true ? savedForAll : saved;
      say(changed.object === "approval" ? words.agent.waits : done);
    },
    ["inboxes", "approvals", "me"],
  );
}
