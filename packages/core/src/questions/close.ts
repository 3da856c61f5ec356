import { iso } from "../schema.ts";
import type { Work } from "../unit-of-work.ts";
import type { UpdateRecord } from "../updates/schema.ts";
import type { Answer } from "./schema.ts";

/** Notes the first clear answer to a question, once; answers whether it was this one. */
export async function closeQuestion(
  work: Work,
  { id }: Pick<UpdateRecord, "id">,
  answer: Answer & { owner_id: string | null },
  now: Date,
): Promise<boolean> {
  const [closed] = await work.update("updates", { id, answered_at: null }, { answered_at: iso(now), answer });
  if (closed === undefined) return false;
  await work.delete("jobs", { subject_id: id, kind: "question.expire" });
  return true;
}
