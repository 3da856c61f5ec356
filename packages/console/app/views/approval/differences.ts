import type { ApprovalReview } from "@letterslot/client";
import type { Mail } from "./shapes.ts";

type Change = ApprovalReview["versions"][number]["changes"][number];

const FIELDS: readonly Change["field"][] = ["to", "cc", "bcc", "subject", "text", "html", "attachments"];

/** What differs between what was read and what is there now. */
export function differencesOf(before: Mail | null, after: Mail | null): Change[] {
  return FIELDS.flatMap((field) => {
    const [was, is] = [partOf(before, field), partOf(after, field)];
    return was === is ? [] : [{ field, before: was, after: is }];
  });
}

function partOf(mail: Mail | null, field: Change["field"]): string | null {
  if (mail === null) return null;
  if (field === "attachments") return mail.attachments.map(({ filename }) => filename).join("\n") || null;
  const value = mail[field];
  return (Array.isArray(value) ? value.join("\n") : value) || null;
}
