import { LetterslotError, type NewPairing, type Pairing, type Person } from "@letterslot/core";
import type { Hono } from "hono";
import { PUBLIC_BODY_BYTES, readJson } from "../request/body.ts";
import { callerOf } from "../request/caller.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { callOptionsOf, requestHeader } from "../request/request-header.ts";
import { sendJson } from "../request/send-json.ts";
import { ownerCallerOf, personOf } from "../request/session.ts";
import { CODE_FIELD, inSession } from "./ask-code.ts";
import { type Markup, PAGE_HEADERS } from "./layout.ts";
import { answerForm, answerPage, pick } from "./page-request.ts";
import { clientNameIn, codePage, makePage, newHerePage, signedOutFrame, statusFrame } from "./pair-markup.ts";

const PAGE = "/api/v1/owners/pair";
const STATUS = "/api/v1/owners/pair/status";
const PAIR = "/api/v1/pair";

const POLICY = PAGE_HEADERS["Content-Security-Policy"] ?? "";
const WITH_FRAME = `${POLICY}; frame-src 'self'`;
const IN_FRAME = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'");
const SECONDS_BETWEEN_LOOKS = "3";

/**
 * Mounts the page on which a person makes a code for an agent, sees who used it and undoes it, and the call by which the agent
 * uses it.
 */
export function mountPairing(app: Hono<ServerEnv>, state: ServerState): void {
  const { letterslot } = state;

  app.get(PAGE, (c) =>
    answerPage(c, state, async () => {
      const person = await personOf(c, state);
      return person === undefined ? newHerePage() : madeFor(c, state, person);
    }),
  );

  app.post(PAGE, (c) =>
    answerForm(c, state, (form) =>
      form["undo"] === undefined ? afterButton(c, state, form) : undo(c, state, form["undo"]),
    ),
  );

  app.get(STATUS, (c) =>
    answerPage(c, state, async () => {
      c.header("Content-Security-Policy", IN_FRAME);
      c.header("X-Frame-Options", "SAMEORIGIN");
      const person = await personOf(c, state);
      if (person === undefined) return signedOutFrame();
      const pairing = (await pairingsOf(c, state, person)).find(({ id }) => id === c.req.query("id"));
      if (pairing?.status === "open") c.header("Refresh", SECONDS_BETWEEN_LOOKS);
      return statusFrame(pairing);
    }),
  );

  app.post(PAIR, async (c) => {
    const caller = await callerOf(c, state, true, "pairings.pair");
    const body = await readJson(c, PUBLIC_BODY_BYTES);
    const client_name = clientNameIn(requestHeader(c, "user-agent"));
    const input = { ...(client_name === "" ? {} : { client_name }), ...body };
    return sendJson(
      c,
      (await letterslot.call(caller, "pairings.pair", input, callOptionsOf(c))) as Record<string, unknown>,
    );
  });

  refuseOtherMethods(app, PAGE);
  refuseOtherMethods(app, STATUS);
}

async function pairingsOf(c: ServerContext, state: ServerState, person: Person): Promise<Pairing[]> {
  const caller = await ownerCallerOf(c, state, person, "pairings.list");
  return (await state.letterslot.as(caller).pairings.list({})).data;
}

const madeFor = async (c: ServerContext, state: ServerState, person: Person): Promise<Markup> =>
  makePage(person.email, await state.letterslot.choicesOf(person), await pairingsOf(c, state, person));

async function undo(c: ServerContext, state: ServerState, pairing_id: string): Promise<Markup | Response> {
  const person = await personOf(c, state);
  if (person === undefined) return newHerePage();
  const caller = await ownerCallerOf(c, state, person, "pairings.delete");
  await state.letterslot.as(caller).pairings.delete({ pairing_id });
  return c.redirect("pair", 303);
}

/** The page after a button: of signing in, or of making a code, for which an old session must sign in anew. */
async function afterButton(
  c: ServerContext,
  state: ServerState,
  form: Record<string, string>,
): Promise<Markup> {
  const email = (form["email"] ?? "").trim().toLowerCase();
  const shown = pick(form, ["email", "make", "place", "send_mode", CODE_FIELD]) as Record<string, string>;
  const act = { operation: "pairings.create", email, newcomers: true, form: shown };
  const attempt = async (fresh: boolean): Promise<Markup> => {
    const caller = await inSession(c, state, { ...act, fresh });
    if ("page" in caller) return caller.page;
    if (form["make"] === undefined) return madeFor(c, state, caller);
    const inbox_id = form["place"] || undefined;
    const input = inbox_id === undefined ? pick(form, ["send_mode"]) : { inbox_id };
    const made = (await state.letterslot.call(caller, "pairings.create", input)) as NewPairing;
    c.header("Content-Security-Policy", WITH_FRAME);
    return codePage(made);
  };
  try {
    return await attempt(form[CODE_FIELD] !== undefined);
  } catch (error) {
    if (error instanceof LetterslotError && error.code === "recent_sign_in_required") return attempt(true);
    throw error;
  }
}
