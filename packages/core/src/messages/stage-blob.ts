import type { Services } from "../kernel/context.ts";
import type { StagedBlob } from "../ports/blobs.ts";

/**
 * Readies bytes for the transaction of the message that they belong to; where blobs lie apart from the
 * storage they are put at once.
 */
export async function stageBlob({ blobs }: Pick<Services, "blobs">, bytes: Uint8Array): Promise<StagedBlob> {
  if (blobs.stage !== undefined) return blobs.stage(bytes);
  return { hash: await blobs.put(bytes), put() {} };
}
