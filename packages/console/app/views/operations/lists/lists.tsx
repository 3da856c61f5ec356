import { useSetting, withSettings } from "../../../api/address.ts";
import { hasWholeAccount, may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { SelectField } from "../../../ui/form.tsx";
import { View } from "../../../ui/layout.tsx";
import { TabLinks } from "../../../ui/small.tsx";
import { words } from "../../../words/index.ts";
import { useInboxes } from "../inbox-names.ts";
import { DIRECTIONS, OneList } from "./one-list.tsx";

const text = words.mailOperations.lists;

/** Whom the account or an inbox hears from and writes to. */
export function Lists({ direction: asked }: { direction: string }) {
  const { caller } = useCaller();
  const { inboxes } = useInboxes();
  const whole = hasWholeAccount(caller);
  const [chosen, setChosen] = useSetting<string>("inbox", "");
  const inbox_id = chosen === "" && !whole ? (inboxes[0]?.id ?? null) : chosen === "" ? null : chosen;
  const direction = DIRECTIONS.find((each) => each === asked) ?? "receive";
  const [title, lead] = words.operations.areas.lists;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <TabLinks
        label={title}
        tabs={DIRECTIONS.map((each) => ({
          href: withSettings(`/operations/lists/${each}`, { inbox: chosen }),
          name: text.directions[each],
          current: each === direction,
        }))}
      />
      <p class="text-soft">{text.about[direction]}</p>
      {(inboxes.length > 1 || (whole && inboxes.length > 0)) && (
        <SelectField
          label={text.where}
          options={[
            ...(whole ? [["", text.account] as const] : []),
            ...inboxes.map(({ id, email }) => [id, email] as const),
          ]}
          value={inbox_id ?? ""}
          onValue={setChosen}
        />
      )}
      {(whole || inbox_id !== null) &&
        (["block", "allow"] as const).map((type) => (
          <OneList
            key={`${direction} ${type} ${inbox_id}`}
            direction={direction}
            type={type}
            inbox_id={inbox_id}
            mayWrite={may(caller, "list_write")}
          />
        ))}
    </View>
  );
}
