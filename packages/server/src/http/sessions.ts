import type { Hono } from "hono";
import { PUBLIC_BODY_BYTES, readJson } from "../request/body.ts";
import { callerOf } from "../request/caller.ts";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { callOptionsOf, userAgentOf } from "../request/request-header.ts";
import { checkSameOrigin } from "../request/same-origin.ts";
import { sendJson } from "../request/send-json.ts";
import { readCookie, writeCookie } from "../request/session.ts";
import { createSession } from "../request/sign-in.ts";

const SESSION = "/api/v1/owners/session";

/** Mounts what makes and ends sessions: their secrets travel in cookies, never in an answer. */
export function mountSessions(app: Hono<ServerEnv>, state: ServerState): void {
  app.post(`${SESSION}/start`, async (c) => {
    checkSameOrigin(c, state);
    const caller = await callerOf(c, state, true, "sessions.start");
    const body = await readJson(c, PUBLIC_BODY_BYTES);
    const remember_token = readCookie(c, state, "browser");
    const input = {
      ...(remember_token === undefined ? {} : { remember_token }),
      ...userAgentOf(c),
      ...body,
    };
    const started = (await state.letterslot.call(caller, "sessions.start", input, callOptionsOf(c))) as {
      challenge: string;
    };
    writeCookie(c, state, "challenge", started.challenge);
    return sendJson(c, started);
  });

  app.post(SESSION, async (c) => {
    checkSameOrigin(c, state);
    const caller = await callerOf(c, state, true, "sessions.create");
    await state.letterslot.admit(caller, "sessions.create", {});
    return sendJson(c, await createSession(c, state, await readJson(c, PUBLIC_BODY_BYTES)));
  });

  app.delete(SESSION, async (c) => {
    const caller = await callerOf(c, state, true, "sessions.end");
    const ended = await state.letterslot.call(caller, "sessions.end", c.req.query());
    writeCookie(c, state, "session", "");
    return sendJson(c, ended as object);
  });
}
