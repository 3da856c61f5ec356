import type { Services } from "../../kernel/context.ts";
import { hashSecret, randomWord } from "../../kernel/secrets.ts";
import type { Work } from "../../kernel/work.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { OwnerRecord } from "../../model/owners.ts";

import type { UpdateRecord } from "../../model/updates.ts";

const tokenChars = 40;

/** A token that opens the answer page of one question for one owner; only its hash is stored. */
export const newAnswerToken = (): string => randomWord(tokenChars);

/** Where an owner answers with a token. */
export const answerPage = ({ options }: Pick<Services, "options">, token: string): string =>
  `${options.base_url}/api/v1/owners/answer?token=${token}`;

/** Notes which updates a letter carries to an owner, and the tokens that it holds for their questions. */
export function addUpdateLetters(
  work: Work,
  letter: Pick<MessageRecord, "id" | "inbox_id">,
  owner: Pick<OwnerRecord, "id">,
  carried: readonly { update: Pick<UpdateRecord, "id">; token: string | null }[],
  again = false,
): void {
  const rows = carried.map(({ update, token }) => ({
    message_id: letter.id,
    update_id: update.id,
    inbox_id: letter.inbox_id,
    owner_id: owner.id,
    token_hash: token === null ? null : hashSecret(token),
    again,
  }));
  work.append("update_letters", rows);
}
