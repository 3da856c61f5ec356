import type { Inbox } from "@letterslot/client";
import { queries, refresh, useAct } from "../../api/queries.ts";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

/** From the loosest to the strictest. */
export const MODES = ["direct", "guarded", "approval"] as const satisfies readonly Inbox["send_mode"][];

/** Whether a mode asks for more than another. */
export const isStricter = (mode: Inbox["send_mode"], than: Inbox["send_mode"]): boolean =>
  MODES.indexOf(mode) > MODES.indexOf(than);

/** What is changed of an inbox. */
type Change = Partial<Pick<Inbox, "send_mode" | "screening" | "status">> & {
  display_name?: string;
  /** The mode is to hold for all inboxes of the account. */
  for_all?: boolean;
};

const CHANGED = ["inboxes", "approvals", "me"];

/** Changes the inbox; what others decide then waits for them. A mode that a person sets can be taken back. */
export function useChange({ id: inbox_id, send_mode: before }: Inbox, by_person: boolean) {
  return useAct(async (client, change: Change) => {
    const floor = change.for_all === true ? (await client.me.get({})).send_mode_floor : undefined;
    const changed = await client.inboxes.update({ inbox_id, ...change });
    if (changed.object === "approval") {
      say(words.agent.waits);
      return;
    }
    const undo = async () => {
      // A floor that was as strict before has not been changed.
      if (floor !== undefined && change.send_mode !== undefined && isStricter(change.send_mode, floor))
        await client.me.update({ send_mode_floor: floor });
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
