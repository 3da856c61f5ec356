import type { Inbox } from "@letterslot/client";
import { queries, refresh, useAct } from "../../api/queries.ts";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

/** What is changed of an inbox. */
type Change = Partial<Pick<Inbox, "send_mode" | "screening" | "status">> & {
  display_name?: string;
  /** The mode is to hold for all inboxes of the account, which had this one before. */
  for_all_instead_of?: Inbox["send_mode"];
};

const CHANGED = ["inboxes", "approvals", "me"];

/** Changes the inbox; what others decide then waits for them. A mode that a person sets can be taken back. */
export function useChange({ id: inbox_id, send_mode: before }: Inbox, by_person: boolean) {
  return useAct(async (client, { for_all_instead_of: floor, ...change }: Change) => {
    const for_all = floor === undefined ? {} : { for_all: true };
    const changed = await client.inboxes.update({ inbox_id, ...change, ...for_all });
    if (changed.object === "approval") {
      say(words.agent.waits);
      return;
    }
    const undo = async () => {
      if (floor !== undefined) await client.me.update({ send_mode_floor: floor });
      const back = await client.inboxes.update({ inbox_id, send_mode: before });
      if (back.object === "approval") say(words.agent.waits);
      await refresh(queries, CHANGED);
    };
    const { saved, savedForAll } = words.agent.settings;
    say(
      floor === undefined ? saved : savedForAll,
      by_person && change.send_mode !== undefined ? undo : undefined,
    );
  }, CHANGED);
}
