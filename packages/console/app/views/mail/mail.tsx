import { View } from "../../ui/layout.tsx";
import { words } from "../../words/index.ts";

export function Mail({ inbox_id, rest }: { inbox_id: string; rest: string }) {
  return (
    <View title={words.mail.title}>
      {inbox_id} {rest}
    </View>
  );
}
