import type { Session } from "@letterslot/core";
import type { ServerContext, ServerState } from "./context.ts";
import { callOptionsOf, requestHeader } from "./request-header.ts";
import { readCookie, writeCookie } from "./session.ts";

const MAX_USER_AGENT_CHARS = 1_000;

/** A new session's secrets, besides what is shown of it. */
interface SessionTokens {
  session_token: string;
  remember_token: string;
}

/** Signs the browser in with what it sent and the challenge in its cookie; sets its cookies. */
export async function createSession(
  c: ServerContext,
  state: ServerState,
  proof: Record<string, unknown>,
): Promise<Session> {
  const challenge = readCookie(c, state, "challenge");
  const user_agent = requestHeader(c, "user-agent")?.slice(0, MAX_USER_AGENT_CHARS);
  const answer = await state.letterslot.call(
    { type: "public", ip: state.clientAddress(c) },
    "sessions.create",
    {
      ...(challenge === undefined ? {} : { challenge }),
      ...(user_agent === undefined ? {} : { user_agent }),
      ...proof,
    },
    callOptionsOf(c),
  );
  const { session_token, remember_token, ...session } = answer as Session & SessionTokens;
  writeCookie(c, state, "session", session_token);
  writeCookie(c, state, "browser", remember_token);
  writeCookie(c, state, "challenge", "");
  return session;
}
