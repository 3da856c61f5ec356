import type { Inbox } from "@letterslot/client";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAnswer } from "../../api/queries.ts";

const MOST = 100;

/** The first inboxes that the caller reaches, to choose among and to name. */
export function useInboxes() {
  const { caller } = useCaller();
  const inboxes = useAnswer(
    ["inboxes", "names"],
    (client) => client.inboxes.list({ limit: MOST }),
    may(caller, "inbox_read"),
  );
  const all: readonly Inbox[] = inboxes.data?.data ?? [];
  const nameOf = (id: string): string => all.find((inbox) => inbox.id === id)?.email ?? id;
  return { inboxes: all, nameOf };
}
