import { View } from "../../ui/layout.tsx";
import { words } from "../../words/index.ts";

export function Agent({ inbox_id, tab }: { inbox_id: string; tab: string }) {
  return (
    <View title={words.agent.title}>
      {inbox_id} {tab}
    </View>
  );
}
