import { fail, LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { readAs, textKind } from "../../mail/attachments.ts";
import type { AttachmentTextRecord, ExtractedText, StoredAttachment } from "../../model/attachments.ts";
import { iso } from "../../model/fields.ts";

/**
 * The text of an attachment. The result, including a permanent failure, is cached by the hash of the bytes and the way to read them.
 * Fails with `text_extraction_unsupported`, `attachment_too_large` or `text_extraction_failed`.
 */
export async function readText(ctx: AccountContext, attachment: StoredAttachment): Promise<ExtractedText> {
  const kind = textKind(attachment);
  if (kind === null || ctx.textExtraction === undefined) throw fail("text_extraction_unsupported");
  if (attachment.size_bytes > LIMITS.attachment_text_input_bytes) throw fail("attachment_too_large");

  const { hash } = attachment;
  const { read_as = kind, charset } = readAs(attachment) ?? {};
  const [known] = await ctx.storage.find("attachment_texts", { where: { hash, kind: read_as }, limit: 1 });
  if (known !== undefined) return outcomeOf(known);

  const bytes = await ctx.blobs.get(hash);
  if (bytes === undefined) throw fail("attachment_not_found");
  const found = await ctx.textExtraction.extract({ bytes, kind, charset }).then(
    ({ text, truncated }) => ({ failure: null, text, truncated }),
    (error: unknown) => ({ failure: permanentFailure(error), text: "", truncated: false }),
  );
  const record = { hash, kind: read_as, ...found, created_at: iso(ctx.now) };
  await ctx.transaction(async (work) => {
    // If the message was deleted meanwhile, nothing would ever delete this row.
    if ((await work.count("blob_uses", { hash }, 1)) > 0) await work.insert("attachment_texts", record);
  });
  return outcomeOf(record);
}

function outcomeOf({ failure, text, truncated }: AttachmentTextRecord): ExtractedText {
  if (failure !== null) throw fail(failure);
  return { text, truncated };
}

/** The code of a permanent failure; rethrows any other error. */
function permanentFailure(error: unknown): AttachmentTextRecord["failure"] {
  const code = error instanceof LetterslotError ? error.code : undefined;
  if (code === "attachment_too_large" || code === "text_extraction_failed") return code;
  throw error;
}
