import { createHash } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { LIMITS } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";
import type { PhoneSimulator } from "@letterslot/core/testing";
import type { Hono } from "hono";
import { answerPage, wantsHtml } from "../pages/page-request.ts";
import { formFields, PUBLIC_BODY_BYTES, readBytes } from "../request/body.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { directOnly } from "../request/direct-only.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { checkOwnPage } from "../request/same-origin.ts";
import { sendJson } from "../request/send-json.ts";
import { type AgentNumber, type PhonePage, phonePage } from "./phone-markup.ts";

const PATH = "/phone";
const PERSON_NUMBER = "+14155550199";
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;
const SHOWN_NUMBERS = 100;
const SHOWN_EVENTS = 50;
const WAIT_MS = 20_000;
const WAIT_STEP_MS = 200;

/**
 * Mounts `/phone`: a person's telephone for the numbers of a server without a telephone provider, as a page, and for the
 * console as JSON. It reads and sends anybody's texts, so only the developer on this machine may use it (see `isDirect`),
 * from this server's own pages.
 */
export function mountPhone(app: Hono<ServerEnv>, state: ServerState, simulator: PhoneSimulator): void {
  app.use(`${PATH}/*`, directOnly);

  const shown = async (me: string): Promise<PhonePage> => {
    const happened = [...simulator.texts.slice(-SHOWN_EVENTS), ...simulator.calls.slice(-SHOWN_EVENTS)];
    const newest = happened.sort((a, b) => b.at.localeCompare(a.at)).slice(0, SHOWN_EVENTS);
    const numbers = await activeNumbers(state, simulator.name);
    return { me, numbers, happened: newest, seen: fingerprintOf(simulator) };
  };
  const look = async (c: ServerContext) => {
    const me = personNumber(c.req.query("me"));
    simulator.play(me);
    const seen = c.req.query("wait");
    if (seen !== undefined) await changed(simulator, seen, state);
    return shown(me);
  };
  app.get(PATH, async (c) =>
    wantsHtml(c)
      ? answerPage(c, state, async () => phonePage(await look(c)))
      : sendJson(c, { object: "telephone", ...(await look(c)) }),
  );

  const press = async (c: ServerContext, form: Record<string, string>) => {
    checkOwnPage(c, state);
    const me = personNumber(form["me"]);
    await act(simulator, me, form);
    return me;
  };
  app.post(PATH, async (c: ServerContext) => {
    const form = formFields(await readBytes(c, PUBLIC_BODY_BYTES));
    if (!wantsHtml(c)) return sendJson(c, { object: "telephone", ...(await shown(await press(c, form))) });
    return answerPage(c, state, async () =>
      c.redirect(`${PATH}?me=${encodeURIComponent(await press(c, form))}`, 303),
    );
  });

  refuseOtherMethods(app, PATH);
}

/** Runs the action of a button of the page. Fails with the code of the form's error. */
async function act(simulator: PhoneSimulator, me: string, form: Record<string, string>): Promise<void> {
  const { act: what = "", to = "", call: id = "", text = "" } = form;
  if (what === "text" || what === "call") {
    if (!NORTH_AMERICAN.test(to)) throw fail("invalid_e164", { param: "to" });
    if (what === "call") return void (await simulator.call({ from: me, to }));
    return void (await simulator.text({ from: me, to, text: said(text, LIMITS.sms_chars) }));
  }
  const call = simulator.calls.find((one) => one.id === id);
  if (call === undefined || call.duration_seconds !== null) return;
  if (what === "answer" && call.status === "ringing") return simulator.answer(call);
  if (what === "decline" && call.status === "ringing") return simulator.ignore(call);
  if (call.status !== "in-progress") return;
  if (what === "speak") await simulator.speak(call, { text: said(text, LIMITS.say_chars) });
  if (what === "speak" || what === "hang_up") await simulator.hangUp(call);
}

function said(text: string, max: number): string {
  if (text.trim() === "") throw fail("missing_text", { param: "text" });
  if (text.length > max) throw fail("text_too_long", { param: "text" });
  return text.replaceAll("\r\n", "\n");
}

function personNumber(given: string | undefined): string {
  // A plus sign that wasn't escaped in a URL is a space.
  const number = (given ?? PERSON_NUMBER).trim().replace(/^(?!\+)/, "+");
  if (!NORTH_AMERICAN.test(number)) throw fail("invalid_e164", { param: "me" });
  return number;
}

/** The numbers that inboxes have, newest first: from storage, since the simulator forgets its own with a restart. */
async function activeNumbers({ letterslot }: ServerState, provider: string): Promise<AgentNumber[]> {
  const { storage } = letterslot.services;
  const newest = await storage.find("phone_numbers", {
    where: {},
    order: { by: "id", direction: "desc" },
    limit: SHOWN_NUMBERS,
  });
  const active = newest.filter((number) => number.status === "active" && number.provider === provider);
  const inboxes = await Promise.all(active.map(({ inbox_id }) => storage.get("inboxes", inbox_id)));
  return active.map(({ e164 }, index) => {
    const inbox = inboxes[index];
    return { e164, agent: inbox?.display_name ?? inbox?.email ?? "" };
  });
}

/** Returns a fingerprint that differs once a text or call comes or changes. */
function fingerprintOf({ texts, calls }: PhoneSimulator): string {
  const states = [texts, calls].map((all) => all.slice(-SHOWN_EVENTS).map(({ id, status }) => [id, status]));
  return createHash("sha256").update(JSON.stringify(states)).digest("base64url").slice(0, 16);
}

/** Resolves when a text or call has come or changed since a page was shown, after 20 seconds at the latest. */
async function changed(simulator: PhoneSimulator, seen: string, { stopping }: ServerState): Promise<void> {
  for (let waited = 0; waited < WAIT_MS && stopping?.aborted !== true; waited += WAIT_STEP_MS) {
    if (fingerprintOf(simulator) !== seen) return;
    await after(WAIT_STEP_MS);
  }
}
