import { words } from "../../words/index.ts";

const names: Readonly<Record<string, string>> = words.eventTypes;

/** What an event of this type says; a newer server may have types that are unknown here. */
export const eventName = (type: string): string => names[type] ?? type;
