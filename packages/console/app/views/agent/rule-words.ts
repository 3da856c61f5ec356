import type { InboxRule } from "@letterslot/client";
import { words } from "../../words/index.ts";

const text = words.agent.rules;

type Conditions = InboxRule["conditions"];
type Actions = InboxRule["actions"];

/** Lists are written one entry a line. */
export const linesOf = (value: string): string[] =>
  value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** A rule's conditions, each in words. */
export const conditionWords = (conditions: Conditions): string[] =>
  (Object.keys(text.conditions) as (keyof Conditions)[]).flatMap((name) => {
    const value = conditions[name];
    return value === undefined ? [] : `${text.conditions[name]}: ${shown(value)}`;
  });

/** A rule's actions, each in words. */
export const actionWords = (actions: Actions): string[] =>
  (Object.keys(text.actions) as (keyof Actions)[]).flatMap((name) => {
    const value = actions[name];
    if (value === undefined) return [];
    return value === true ? text.actions[name] : `${text.actions[name]}: ${shown(value)}`;
  });

type Value = string | number | boolean | readonly string[] | { text: string } | { assignee: string };

function shown(value: Value): string {
  if (typeof value === "boolean") return value ? text.yes : text.no;
  if (value === "pass" || value === "fail") return value === "pass" ? text.yes : text.no;
  if (typeof value === "object" && "join" in value) return value.join(", ");
  if (typeof value === "object") return "text" in value ? `“${value.text}”` : value.assignee;
  return String(value);
}
