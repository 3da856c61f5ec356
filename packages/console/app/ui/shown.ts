import { showHidden } from "@letterslot/core/mail";

/** Text that strangers may have written, with what is invisible or turns the direction of text shown by code point. */
export const shown = <T>(value: T): T | string => (typeof value === "string" ? showHidden(value) : value);
