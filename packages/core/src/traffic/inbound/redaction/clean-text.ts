import type { InboxContext } from "../../../kernel/context.ts";
import { workOnContent } from "../../../mail/work-on-content.ts";
import { lettersLive } from "./letters-live.ts";
import { findLiveCodes } from "./live-codes.ts";
import { peopleOf } from "./people-of.ts";

/**
 * Returns the text of a stored file without secrets of letters and without live codes for people of its account. The
 * file may have arrived before the code's letter left, or before it could be opened.
 */
export async function cleanText(ctx: InboxContext, text: string): Promise<string> {
  const { contentWorker, inbox, now } = ctx;
  const struck = await workOnContent(contentWorker, "strikeText", text);
  if (!(await lettersLive(ctx, inbox.account_id, now))) return struck.text;
  const { numbers, frames, whole } = await workOnContent(contentWorker, "searchText", struck.text);
  if (numbers.length === 0 && whole) return struck.text;
  const all = new Set(numbers);
  const { live, found } = await findLiveCodes(
    ctx,
    await peopleOf(ctx, [inbox]),
    { shown: all, all, whole },
    now,
  );
  const holds_letter = frames.includes("sign_in") || frames.includes("confirmation") || !whole;
  if (!live || (found.length === 0 && !holds_letter)) return struck.text;
  return workOnContent(contentWorker, "removeCodes", {
    text: struck.text,
    all: holds_letter,
    codes: found.map(({ number }) => number),
  });
}
