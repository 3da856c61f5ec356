import { hasWholeAccount, may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { View } from "../../ui/layout.tsx";
import { Empty } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";

/** What keeps the service running: webhooks, keys, domains and the rest. */
export function Operations({ rest }: { rest: string }) {
  const { caller } = useCaller();
  if (!hasWholeAccount(caller) || !may(caller, "webhook_read"))
    return (
      <View title={words.operations.title}>
        <Empty title={words.forbidden.title}>{words.forbidden.text}</Empty>
      </View>
    );
  return <View title={words.operations.title}>{rest}</View>;
}
