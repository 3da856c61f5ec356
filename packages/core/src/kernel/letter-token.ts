import type { AccountRecord } from "../model/accounts.ts";
import type { ApprovalLetterRecord, ApprovalRecord } from "../model/approvals.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { Question } from "../model/questions.ts";
import type { UpdateLetterRecord, UpdateRecord } from "../model/updates.ts";

/** What the token of each kind of letter gives access to. */
export interface LetterSubjects {
  approval: { letter: ApprovalLetterRecord; approval: ApprovalRecord; owner: OwnerRecord };
  question: {
    letter: UpdateLetterRecord;
    update: UpdateRecord & { question: Question };
    owner: OwnerRecord;
    inbox: InboxRecord;
  };
  /** The token that every letter to an owner contains. */
  owner: { owner: OwnerRecord; inbox: InboxRecord };
  confirmation: { owner: OwnerRecord };
  product_note: { account: AccountRecord };
}

/** The kinds of letter whose token gives access to an operation. */
export type LetterKind = keyof LetterSubjects;
