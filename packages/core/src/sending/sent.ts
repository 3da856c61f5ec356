import { z } from "zod";
import { Draft } from "../model/drafts.ts";
import { Message } from "../model/messages.ts";

/**
 * What a send answers: the message, or the draft while it waits for its time or for an owner. Tell them apart
 * by `object`.
 */
export const Sent = z.union([Message, Draft]);
export type Sent = z.input<typeof Sent>;
