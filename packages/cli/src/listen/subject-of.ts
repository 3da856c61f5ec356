import type { LetterslotEvent } from "@letterslot/client";

/** Returns an event's subject in a few words for people: a subject line, an address, or the id of a record. */
export function subjectOf({ data, inbox_id }: LetterslotEvent): string {
  const said = data as Record<string, unknown>;
  for (const name of RECORDS) {
    const record = said[name] as Record<string, unknown> | undefined;
    const words = [
      record?.["from"] ?? record?.["sender"],
      record?.["subject"] ?? record?.["title"] ?? record?.["id"],
    ];
    const known = words.filter((word) => typeof word === "string" && word !== "");
    if (known.length > 0) return known.join(": ");
  }
  const first = FIELDS.map((name) => said[name]).find((value) => typeof value === "string");
  return first ?? inbox_id ?? "";
}

const RECORDS = ["task", "message", "draft", "approval", "update", "owner", "domain", "webhook"];
const FIELDS = [
  "subject",
  "from",
  "message_id",
  "task_id",
  "draft_id",
  "approval_id",
  "owner_id",
  "webhook_id",
];
