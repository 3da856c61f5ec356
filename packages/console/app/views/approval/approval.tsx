import { View } from "../../ui/layout.tsx";
import { words } from "../../words/index.ts";

export function Approval({ id }: { id: string }) {
  return <View title={words.approval.title}>{id}</View>;
}
