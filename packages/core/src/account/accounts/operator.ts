import { fail } from "../../catalogue/errors.ts";
import { moveNote } from "../../kernel/access/authority.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import {
  type AccountDetails,
  type AccountSummary,
  listAccounts,
  setPlan,
  setSuspended,
  showAccount,
} from "../../limits/plans/index.ts";
import { liftSuppressions } from "../../mailbox/suppressions/index.ts";
import { addressKey, canonicalAddress } from "../../model/address.ts";
import { Passkey } from "../../model/passkeys.ts";
import type { AuthorityRecord } from "../../model/people.ts";
import type { SuppressionRecord } from "../../model/suppressions.ts";
import { passkeysOf } from "../../owners/passkeys/index.ts";
import { type ReceiptKey, receiptKeys, rotateReceiptKey } from "../../owners/receipts/index.ts";
import { endAuthority, giveAuthority, removePasskey } from "../../owners/sessions/index.ts";
import { beginErasing, type Deleted } from "../erasing/begin.ts";
import { newAccount } from "./open.ts";

/** The `given_by` of authorities that the operator gave. */
const OPERATOR = "operator";
const NO_PASSKEY = {
  message: "There is no such passkey.",
  fix: "List a person's with `letterslot-server accounts passkeys list <email>`.",
};
const MAX_AUTHORITIES = 200;
const MAX_SUPPRESSIONS = 200;

/** The operator's interface to a service: acts directly on its storage, whatever ONBOARDING says. */
export interface Operator {
  /** The keys that sign the receipts of approvals. */
  approvalKeys: {
    /** The public halves of all of them, the retired ones too, oldest first. Makes the first one. */
    list(): Promise<ReceiptKey[]>;
    /** Makes a key that signs from now on, and retires the one before: what that signed stays verifiable. */
    rotate(): Promise<ReceiptKey>;
  };
  /** The passkeys of people, in whichever accounts they have charge. */
  passkeys: {
    /** Those of a person, oldest first. */
    list(email: string): Promise<Passkey[]>;
    /** Removes one without a signature, for a person who lost their only device, and tells them. Fails with `passkey_not_found`. */
    remove(passkey_id: string): Promise<Pick<Passkey, "id"> & { email: string }>;
  };
  accounts: {
    /**
     * Opens an account with a full-access key, which is shown only here. `owner` has charge of it from the
     * start. Fails with `invalid_address` when mail to the owner is delivered by this service, and with
     * `address_is_inbox` when an inbox has the address.
     */
    create(account: { owner: string }): Promise<{ account_id: string; api_key: string }>;
    /** A page of at most 200 accounts, oldest first; `after` is the id of the last one before it. */
    list(page?: { after?: string | undefined }): Promise<AccountSummary[]>;
    /** One account with what it uses. Fails with `account_not_found`. */
    show(account_id: string): Promise<AccountDetails>;
    /**
     * Gives an account a plan, or with null the default one. Fails with `account_not_found`, or with
     * `invalid_request` for an unknown plan and for a sub-account, which has its parent's.
     */
    setPlan(account_id: string, plan: string | null): Promise<AccountDetails>;
    /**
     * Suspends an account with its sub-accounts: calls fail with `account_suspended`, mail to it is deferred and
     * mail of it waits. Fails with `account_not_found`, or with `invalid_request` for a sub-account.
     */
    suspend(account_id: string): Promise<AccountDetails>;
    /** Ends a suspension: what waited goes on within ten minutes. Fails as `suspend` does. */
    resume(account_id: string): Promise<AccountDetails>;
    /**
     * Deletes an account with its sub-accounts, without an approval: nobody has access to it any more, and a
     * worker erases all but its addresses within 24 hours. Fails with `account_not_found`, also when it was
     * deleted before.
     */
    delete(account_id: string): Promise<Deleted & { account_id: string }>;
    /**
     * Notes another first address of an account, which may take charge of it while nobody has; with null the next
     * owner who confirms is noted. Fails with `account_not_found`, `invalid_address` or `address_is_inbox`.
     */
    note(account_id: string, email: string | null): Promise<AccountDetails>;
    suppressions: {
      /** A page of at most 200 suppressions of an account, oldest first. Fails with `account_not_found`. */
      list(account_id: string, page?: { after?: string | undefined }): Promise<SuppressionRecord[]>;
      /** Lifts one, whoever made it, by its address, phone number or id. Fails with `suppression_not_found`. */
      lift(account_id: string, named: string): Promise<Pick<SuppressionRecord, "id" | "address">>;
    };
    authority: {
      /** Everybody's authority in an account. Fails with `account_not_found`. */
      list(account_id: string): Promise<AuthorityRecord[]>;
      /** Gives a person authority over an account, or over one of its inboxes. Fails with `address_is_inbox`. */
      give(to: {
        account_id: string;
        email: string;
        inbox_id?: string | undefined;
      }): Promise<AuthorityRecord>;
      /** Ends an authority. Fails with `authority_not_found` or `owner_required`. */
      end(authority_id: string): Promise<void>;
    };
  };
}

/** Makes the operator's verbs. */
export function createOperator(services: Services): Operator {
  const { storage, clock } = services;
  return {
    approvalKeys: { list: () => receiptKeys(services), rotate: () => rotateReceiptKey(services) },
    passkeys: {
      async list(email) {
        const found = await passkeysOf(storage, addressKey(email));
        return found.map((passkey) => Passkey.parse(passkey));
      },
      async remove(passkey_id) {
        const passkey = await storage.get("passkeys", passkey_id);
        const removed =
          passkey !== undefined &&
          (await removePasskey(services, passkey, "removed_by_operator", clock.now()));
        if (!removed) throw fail("passkey_not_found", NO_PASSKEY);
        return { id: passkey_id, email: passkey.email };
      },
    },
    accounts: {
      async create({ owner }) {
        const email = await outsideAddress(services, owner);
        const now = clock.now();
        const { account, key, api_key } = newAccount(services, now);
        await unitOfWork(services, account.id, now, async (work) => {
          work.append("accounts", [{ ...account, claimed: true, first_owner_email: email }]);
          work.append("keys", [key]);
          const whole = { email, account_id: account.id, inbox_id: null, given_by: OPERATOR };
          await giveAuthority(services, work, whole, now);
        });
        return { account_id: account.id, api_key };
      },
      list: (page) => listAccounts(services, page),
      show: (account_id) => showAccount(services, account_id),
      setPlan: (account_id, plan) => setPlan(services, account_id, plan),
      suspend: (account_id) => setSuspended(services, account_id, true),
      resume: (account_id) => setSuspended(services, account_id, false),
      async delete(account_id) {
        const now = clock.now();
        const deleted = await unitOfWork(services, account_id, now, (work) =>
          beginErasing(work, account_id, now),
        );
        if (deleted === undefined) throw fail("account_not_found");
        return { account_id, ...deleted };
      },
      async note(account_id, named) {
        await checkAccount(services, account_id);
        const email = named === null ? null : await outsideAddress(services, named);
        const now = clock.now();
        await unitOfWork(services, account_id, now, (work) =>
          moveNote(services, work, { account_id, email }, now),
        );
        return showAccount(services, account_id);
      },
      suppressions: {
        async list(account_id, { after } = {}) {
          await checkAccount(services, account_id);
          return storage.find("suppressions", {
            where: { account_id, ...(after === undefined ? {} : { id: { gt: after } }) },
            order: { by: "id", direction: "asc" },
            limit: MAX_SUPPRESSIONS,
          });
        },
        async lift(account_id, named) {
          await checkAccount(services, account_id);
          const now = clock.now();
          return unitOfWork(services, account_id, now, (work) =>
            liftSuppressions(work, account_id, { named, by: "operator" }, now),
          );
        },
      },
      authority: {
        async list(account_id) {
          await checkAccount(services, account_id);
          return storage.find("authorities", {
            where: { account_id },
            order: { by: "id", direction: "asc" },
            limit: MAX_AUTHORITIES,
          });
        },
        async give({ account_id, email, inbox_id = null }) {
          await checkAccount(services, account_id);
          const inbox = inbox_id === null ? undefined : await storage.get("inboxes", inbox_id);
          if (inbox_id !== null && inbox?.account_id !== account_id) throw fail("inbox_not_found");
          const to = {
            email: await outsideAddress(services, email),
            account_id,
            inbox_id,
            given_by: OPERATOR,
          };
          const now = clock.now();
          return unitOfWork(services, account_id, now, (work) => giveAuthority(services, work, to, now));
        },
        async end(authority_id) {
          const authority = await storage.get("authorities", authority_id);
          if (authority === undefined) throw fail("authority_not_found");
          await endAuthority(services, authority, clock.now());
        },
      },
    },
  };
}

async function checkAccount({ storage }: Services, account_id: string): Promise<void> {
  const account = await storage.get("accounts", account_id);
  if (account === undefined || account.deleted_at !== null) throw fail("account_not_found");
}

/** Only outside addresses have authority: an agent could have one inside. */
async function outsideAddress(services: Services, text: string): Promise<string> {
  const email = canonicalAddress(text);
  if (email === undefined || !(await isOutside(services, services.storage, email)))
    throw fail("invalid_address", { param: "email" });
  return email;
}
