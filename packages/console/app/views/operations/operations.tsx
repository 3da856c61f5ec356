import { View } from "../../ui/layout.tsx";
import { words } from "../../words/index.ts";

export function Operations({ rest }: { rest: string }) {
  return <View title={words.operations.title}>{rest}</View>;
}
