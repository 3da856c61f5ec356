/** Where one is in an inbox's mail, as it stands in the address. */
export interface Place {
  inbox_id: string;
  folder: string;
  query: string;
  thread_id: string | null;
}

export const FOLDERS = ["inbox", "unread", "archive", "spam", "trash"] as const;

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    // Written by hand: it is taken as it stands.
    return part;
  }
};

/** `in/archive/search/WORDS/thread/ID`, each part only where it is needed. */
export function placeIn(inbox_id: string, rest: string): Place {
  const parts = rest.split("/").map(decoded);
  const after = (name: string) => (parts.includes(name) ? (parts[parts.indexOf(name) + 1] ?? "") : "");
  return {
    inbox_id,
    folder: after("in") || "inbox",
    query: after("search"),
    thread_id: after("threads") || null,
  };
}

/** Where all mail with a label is found. */
export const labelled = (inbox_id: string, label: string): string =>
  addressOf({ inbox_id, folder: "inbox", query: `label:${label}`, thread_id: null });

/** The address of a place. The router decodes an address once, so that words of a person's own are encoded twice. */
export function addressOf({ inbox_id, folder, query, thread_id }: Place): string {
  const parts = [
    `/inboxes/${inbox_id}`,
    folder === "inbox" ? "" : `/in/${encodeURIComponent(folder)}`,
    query === "" ? "" : `/search/${encodeURIComponent(encodeURIComponent(query))}`,
    thread_id === null ? "" : `/threads/${encodeURIComponent(thread_id)}`,
  ];
  return parts.join("");
}
