import { seeded } from "../../test/support/seeded.ts";
import { generateText } from "./words.ts";

/** Event data of the size that a 3 KB mail causes. */
export function eventData(number: number): Record<string, unknown> {
  return {
    message: {
      object: "message",
      id: `msg_${number}`,
      extracted_text: generateText(seeded(number), number, 2_000),
      to: ["agent@example.org"],
    },
  };
}
