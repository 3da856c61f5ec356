import type { InboxRecord } from "../../model/inboxes.ts";
import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";
import type { StorageReader } from "../../ports/storage.ts";

type Reader = Pick<StorageReader, "find" | "get">;

/** The number that an inbox sends texts and calls from; undefined where it has none that is active. */
export async function findActiveNumber(
  reader: Reader,
  inbox_id: string,
): Promise<PhoneNumberRecord | undefined> {
  const held = await findHeldNumber(reader, inbox_id);
  return held?.status === "active" ? held : undefined;
}

/** The number that an inbox has or is about to have; undefined where there is neither. */
export async function findHeldNumber(
  reader: Reader,
  inbox_id: string,
): Promise<PhoneNumberRecord | undefined> {
  const [held] = await reader.find("phone_numbers", { where: { held_inbox_id: inbox_id }, limit: 1 });
  return held;
}

/** The inbox whose active number this is, in E.164; undefined where no inbox has it. */
export async function findInboxByNumber(reader: Reader, e164: string): Promise<InboxRecord | undefined> {
  const [number] = await reader.find("phone_numbers", { where: { held_e164: e164 }, limit: 1 });
  return number?.status === "active" ? reader.get("inboxes", number.inbox_id) : undefined;
}
