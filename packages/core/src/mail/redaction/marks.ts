/** The replacement for a secret or a link. */
export const LINK_REMOVED = "[link removed]";
/** The replacement for a code. */
export const CODE_REMOVED = "[code removed]";
