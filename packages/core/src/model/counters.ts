import { z } from "zod";
import { Timestamp } from "./fields.ts";
/** How often something happened in one time window, which is part of the name. */
export const CounterRecord = z.object({ name: z.string(), count: z.int(), expires_at: Timestamp });

export type CounterRecord = z.infer<typeof CounterRecord>;

/** One of a fixed number of slots, held until it is released or expires. */
export const SlotRecord = z.object({ name: z.string(), holder: z.string(), expires_at: Timestamp });

export type SlotRecord = z.infer<typeof SlotRecord>;
