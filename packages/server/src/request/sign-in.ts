import type { Letterslot, Session } from "@letterslot/core";
import type { ServerContext, ServerState } from "./context.ts";
import { callOptionsOf, userAgentOf } from "./request-header.ts";
import { checkSameOrigin, isBrowser } from "./same-origin.ts";
import { readCookie, writeCookie } from "./session.ts";

/** A new session's secrets, which aren't part of its public record. */
interface SessionTokens {
  session_token: string;
  remember_token: string;
}

/** The input that requests a letter with a code. */
type Start = Pick<Parameters<Letterslot["startSession"]>[0], "email" | "letter" | "newcomers" | "opens">;

/**
 * Mails a person a code, and sets the cookie of its challenge. Fails with `cross_site_request` and
 * `rate_limited`.
 */
export async function startChallenge(c: ServerContext, state: ServerState, start: Start): Promise<void> {
  checkSameOrigin(c, state);
  const remember_token = readCookie(c, state, "browser");
  const ip = state.clientAddress(c);
  const { challenge } = await state.letterslot.startSession({
    ...start,
    ...userAgentOf(c),
    ip,
    remember_token,
  });
  writeCookie(c, state, "challenge", challenge);
}

/**
 * Signs the browser in with the posted fields and the challenge in its cookie; sets its cookies. Only a program that is
 * no browser may pass the challenge itself. Fails with `cross_site_request` and `session_invalid`.
 */
export async function createSession(
  c: ServerContext,
  state: ServerState,
  { challenge: named, ...proof }: Record<string, unknown>,
): Promise<Session> {
  checkSameOrigin(c, state);
  const said = isBrowser(c) ? undefined : named;
  const challenge = said ?? readCookie(c, state, "challenge");
  const answer = await state.letterslot.call(
    { type: "public", ip: state.clientAddress(c) },
    "sessions.create",
    {
      ...(challenge === undefined ? {} : { challenge }),
      ...userAgentOf(c),
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
