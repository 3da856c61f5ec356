import { seeded } from "../../test/support/seeded.ts";
import { textOf } from "./words.ts";

/** Data of the size that the event of a mail of 3 KB has. */
export function eventData(number: number): Record<string, unknown> {
  return {
    message: {
      object: "message",
      id: `msg_${number}`,
      extracted_text: textOf(seeded(number), number, 2_000),
      to: ["agent@example.org"],
    },
  };
}
