import type { Log } from "./log.ts";

/** A mail to postmaster@ or abuse@ of the service's own domain. */
export interface MailToOperator {
  recipient: string;
  /** As it came, cut at a megabyte. */
  raw: Uint8Array;
  received_at: Date;
}

/** Keeps mail for the operator of the service where they have named no address for it. */
export interface OperatorMail {
  /** Resolves when the mail is kept; the sender is told to try again later when it rejects. */
  keep(mail: MailToOperator): Promise<void>;
}

/** Of mail for the operator nothing is kept but a line in the log. */
export const loggedOperatorMail = (log: Log): OperatorMail => ({
  keep: async ({ recipient }) => log.warn({ recipient }, "mail for the operator came and was not kept"),
});
