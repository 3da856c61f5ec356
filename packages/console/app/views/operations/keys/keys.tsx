import type { NewKey } from "@letterslot/client";
import { useState } from "preact/hooks";
import { useSetting } from "../../../api/address.ts";
import { may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { usePages } from "../../../api/queries.ts";
import { Button } from "../../../ui/button.tsx";
import { View } from "../../../ui/layout.tsx";
import { Listing } from "../../../ui/listing.tsx";
import { words } from "../../../words/index.ts";
import { useInboxes } from "../inbox-names.ts";
import { ShownOnce } from "../shown-once.tsx";
import { CreateKey } from "./create-key.tsx";
import { KeyRow } from "./key-row.tsx";
import { descendantsOf, treeOf, works } from "./tree.ts";

const text = words.operations.keys;

/** The keys, each under the one that created it, and a form that creates one. */
export function Keys() {
  const { caller } = useCaller();
  const [made, setMade] = useState<NewKey | null>(null);
  const [show, setShow] = useSetting<string>("show", "");
  const all = show === "all";
  const { nameOf } = useInboxes();
  const keys = usePages(["keys", "list"], (client, cursor) =>
    client.keys.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const isShown = (key: (typeof keys.items)[number]) =>
    works(key) || descendantsOf(key.id, keys.items).some((each) => works(each));
  const shown = keys.items.filter((key) => all || isShown(key));
  const over = keys.items.filter((key) => !isShown(key)).length;
  const make = may(caller, "key_write") && {
    label: text.add,
    form: (done: () => void) => <CreateKey onMade={setMade} done={done} />,
  };
  const [title, lead] = words.operations.areas.keys;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      {made !== null && (
        <ShownOnce
          title={text.made}
          text={text.madeIs}
          secret={made.api_key}
          onStored={() => setMade(null)}
        />
      )}
      <Listing title={title} of={{ ...keys, items: treeOf(shown) }} empty={text.empty} make={make}>
        {({ key, depth }) => (
          <KeyRow key={key.id} record={key} depth={depth} all={keys.items} inboxName={nameOf} />
        )}
      </Listing>
      {over > 0 && (
        <div>
          <Button kind="plain" small class="-ms-3" onClick={() => setShow(all ? "" : "all")}>
            {all ? text.hideRevoked : text.showRevoked(over)}
          </Button>
        </div>
      )}
    </View>
  );
}
