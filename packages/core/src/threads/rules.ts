/** A change of labels. */
export interface LabelChange {
  add: string[];
  remove: string[];
}

const ofMessages: readonly string[] = ["read", "unread"];

/**
 * Takes a change of a thread's labels apart: what is the thread's own, and whether its messages become read
 * or unread.
 */
export function splitChange(
  add: readonly string[],
  remove: readonly string[],
): { own: LabelChange; ofMessages: "read" | "unread" | null } {
  const isOwn = (label: string) => !ofMessages.includes(label);
  const own = { add: add.filter(isOwn), remove: remove.filter(isOwn) };
  if (add.includes("read") || remove.includes("unread")) return { own, ofMessages: "read" };
  if (add.includes("unread") || remove.includes("read")) return { own, ofMessages: "unread" };
  return { own, ofMessages: null };
}
