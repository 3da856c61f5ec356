import type { Update } from "@letterslot/client";
import type { Caller } from "../../api/caller.ts";

type Question = Pick<Update, "deliveries">;

/** The addresses of those who were sent a question: nobody else can answer it, nor those whose digest is yet to come. */
export const askedIn = ({ deliveries }: Question): string[] =>
  deliveries.flatMap(({ email, message_id }) => (message_id === null ? [] : email));

/** Whether the caller can answer a question. */
export const isAsked = (caller: Caller, question: Question): boolean =>
  caller.kind === "person" &&
  askedIn(question).some((email) => email.toLowerCase() === caller.session.email.toLowerCase());
