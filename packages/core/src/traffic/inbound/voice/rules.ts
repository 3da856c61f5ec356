import { LIMITS } from "../../../catalogue/limits.ts";

const CONTROLS = /[\u0000-\u001f\u007f\u2028\u2029]/g;

/** A person's relation to an inbox. */
export interface Standing {
  /** A verified owner of the inbox. */
  owner: boolean;
  authority: boolean;
}

/** Whether a person may write to the agent of an inbox in their session. */
export const mayWrite = ({ owner, authority }: Standing): boolean => owner || authority;

/** Whether a person may add to a task: somebody with authority to each, an owner to those that they gave. */
export const mayAddTo = ({ authority }: Standing, gave_it: boolean): boolean => authority || gave_it;

/** Makes the subject of a message without one: its first line that says something. */
export function subjectOf(text: string): string {
  const lines = text.split(/[\r\n\u2028\u2029]/).map((line) => line.replace(CONTROLS, " ").trim());
  const points = [...(lines.find((line) => line !== "") ?? "")];
  const most = LIMITS.owner_message_subject_chars;
  return points.length > most ? `${points.slice(0, most - 1).join("")}…` : points.join("");
}
