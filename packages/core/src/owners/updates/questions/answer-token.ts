import type { Services } from "../../../kernel/context.ts";
import type { LetterSecret } from "../../../kernel/letters/letter-secrets.ts";
import { hashSecret } from "../../../kernel/secrets.ts";
import type { Work } from "../../../kernel/work.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import type { OwnerRecord } from "../../../model/owners.ts";

import type { UpdateRecord } from "../../../model/updates.ts";

/** The URL of the page where the owner with this token answers. */
export const answerPage = ({ options }: Pick<Services, "options">, token: string): string =>
  `${options.baseUrl}/api/v1/owners/answer?token=${token}`;

/** The secrets of a letter's answer links. */
export const answerSecrets = (
  carried: readonly { update: Pick<UpdateRecord, "id" | "question">; token: string | null }[],
): LetterSecret[] =>
  carried.flatMap(({ update: { id, question }, token }) => {
    if (token === null) return [];
    const ends = question?.expires_at ?? null;
    return [
      {
        secret: token,
        kind: "answer" as const,
        subject_id: id,
        acts_until: ends === null ? undefined : new Date(ends),
      },
    ];
  });

/** Stores which updates a letter to an owner contains, and the hashes of its tokens for their questions. */
export function addUpdateLetters(
  work: Work,
  letter: Pick<MessageRecord, "id" | "inbox_id">,
  owner: Pick<OwnerRecord, "id">,
  carried: readonly {
    update: Pick<UpdateRecord, "id">;
    token: string | null;
    number?: number | null;
    whole: boolean;
  }[],
  again = false,
): void {
  const rows = carried.map(({ update, token, number = null, whole }) => ({
    message_id: letter.id,
    update_id: update.id,
    inbox_id: letter.inbox_id,
    owner_id: owner.id,
    token_hash: token === null ? null : hashSecret(token),
    number,
    again,
    whole,
  }));
  work.append("update_letters", rows);
}
