import { fail } from "../../catalogue/errors.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import type { ApprovalRecord } from "../../model/approvals.ts";
import type { ForwardingRecord } from "../../model/forwardings.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { LetterSecretRecord } from "../../model/letter-secrets.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import type { Question } from "../../model/questions.ts";
import type { UpdateLetterRecord, UpdateRecord } from "../../model/updates.ts";
import type { Caller } from "../access/caller.ts";

/** The records that the token of each kind of letter gives access to. */
export interface LetterSubjects {
  approval: {
    approval: ApprovalRecord;
    /** The mailbox that the letter was sent to. */
    email: string;
    /** Whether that person decides; others may only read the request. */
    decides: boolean;
  };
  question: {
    secret: LetterSecretRecord;
    letter: UpdateLetterRecord;
    update: UpdateRecord & { question: Question };
    owner: OwnerRecord;
    inbox: InboxRecord;
  };
  /** The token that every letter to an owner contains. */
  owner: { secret: LetterSecretRecord; owner: OwnerRecord; inbox: InboxRecord };
  confirmation: { secret: LetterSecretRecord; owner: OwnerRecord };
  /** The link with which a mailbox is asked whether mail may be forwarded to it. */
  forwarding: { secret: LetterSecretRecord; forwarding: ForwardingRecord; inbox: InboxRecord };
  product_note: { account: AccountRecord };
}

/** The kinds of letter whose token gives access to an operation. */
export type LetterSubject = keyof LetterSubjects;

/**
 * Fails with `session_required` if a link may not act by itself: one that came back in a mail also needs its reader's
 * session.
 */
export function checkActsAlone(secret: LetterSecretRecord, caller: Caller): void {
  if (secret.struck_at !== null && !isReader(caller, secret)) throw fail("session_required");
}

/** Whether a caller is signed in as the person whom the letter went to. */
export const isReader = (caller: Caller, { email }: Pick<LetterSecretRecord, "email">): boolean =>
  caller.type === "owner" && caller.email === email;
