import type { Services } from "../../kernel/context.ts";
import { gather, type Leaving, type Sender } from "./gather.ts";
import { judge, passOrFail } from "./rules.ts";

/**
 * The gate that everything passes which an agent lets leave: mail, drafts, texts and calls, at once or later. Fails as
 * the first check that refuses; what is counted is counted where the mail is stored.
 */
export async function passGate(sender: Sender & Pick<Services, "storage">, leaving: Leaving): Promise<void> {
  const { facts, lifted } = await gather(sender, leaving);
  passOrFail(judge(facts));
  if (lifted.length > 0) await sender.storage.delete("suppressions", { id: { in: lifted } });
}
