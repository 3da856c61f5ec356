import { View } from "../../ui/layout.tsx";
import { words } from "../../words/index.ts";

export function Approvals() {
  return <View title={words.approval.list}>{null}</View>;
}
