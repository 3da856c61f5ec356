import type { ContentFinding } from "@letterslot/core/ports";

/** Something found in a text, with the value that is only hashed. */
export interface Found extends Pick<ContentFinding, "code" | "kind" | "start" | "end"> {
  /** The value in the one form that all ways to write it share. */
  value: string;
}
