import { LetterslotError } from "@letterslot/core";
import type { ServerContext, ServerState } from "../request/context.ts";
import { CODE_FIELD, inSession } from "./ask-code.ts";
import type { Markup } from "./layout.ts";
import { callPublic, pick } from "./page-request.ts";

/** The action behind the button of a letter's page. */
export interface LinkAct {
  operation: string;
  /** The input of the operation, with the link's token. */
  fields: Record<string, unknown>;
  /** The posted fields, which are posted again together with a code. */
  form: Record<string, string>;
  /** The mailbox that the letter went to. */
  email(): Promise<string>;
}

/**
 * Runs the action of a letter's button. A link that came back in a mail doesn't suffice: then a code is mailed to the
 * letter's reader, and the answer is the page that asks for it.
 */
export async function actOnLink(
  c: ServerContext,
  state: ServerState,
  { operation, fields, form, email }: LinkAct,
): Promise<{ done: object } | { page: Markup }> {
  try {
    return { done: await callPublic<object>(c, state, operation, fields) };
  } catch (error) {
    if (!(error instanceof LetterslotError) || error.code !== "session_required") throw error;
  }
  const token = typeof fields["token"] === "string" ? fields["token"] : "";
  const again = { ...form, token, ...pick(form, [CODE_FIELD]) } as Record<string, string>;
  const caller = await inSession(c, state, { operation, email: await email(), letter: token, form: again });
  if ("page" in caller) return caller;
  return { done: (await state.letterslot.call(caller, operation, fields)) as object };
}
