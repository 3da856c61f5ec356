import type { Work } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import type { Answer } from "../../model/questions.ts";
import type { UpdateRecord } from "../../model/updates.ts";

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
