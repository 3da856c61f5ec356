import { LIMITS, type Passkey, type Person } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import type { ServerContext, ServerEnv, ServerState } from "../../request/context.ts";
import { refuseOtherMethods } from "../../request/errors.ts";
import { ownerCallerOf, personOf } from "../../request/session.ts";
import { createSession } from "../../request/sign-in.ts";
import { CODE_FIELD, inSession, proofIn, readSigned } from "../ask-code.ts";
import { failurePage, type Markup } from "../layout.ts";
import { answerForm, answerPage, type Form, pick } from "../page-request.ts";
import { mountPasskeyScript, offerPasskeys } from "./offer.ts";
import {
  addedNotice,
  noPasskeysPage,
  passkeysPage,
  removedNotice,
  type Shown,
  whosePage,
} from "./passkeys-markup.ts";

const PAGE = "/api/v1/owners/your-passkeys";

/** Mounts the page on which a person sees, adds and removes their passkeys, and the script of all pages that take them. */
export function mountPasskeyPages(app: Hono<ServerEnv>, state: ServerState): void {
  mountPasskeyScript(app);
  app.get(PAGE, (c) => answerPage(c, state, async () => listPage(c, state, await personOf(c, state))));

  app.post(PAGE, (c) =>
    answerForm(
      c,
      state,
      (form) => afterButton(c, state, form),
      async (error) => {
        const person = error.code === "cross_site_request" ? undefined : await personOf(c, state);
        return person === undefined ? failurePage(error) : listPage(c, state, person, { problem: error });
      },
    ),
  );

  refuseOtherMethods(app, PAGE);
}

async function afterButton(c: ServerContext, state: ServerState, form: Form): Promise<Markup | Response> {
  const person = await personOf(c, state);
  const code = form[CODE_FIELD];
  if (code?.startsWith("{") === true) {
    await createSession(c, state, proofIn(code, ""));
    return c.redirect("your-passkeys", 303);
  }
  if (form["made"] !== undefined && person !== undefined) return add(c, state, person, form);
  if (form["remove"] !== undefined && person !== undefined) return remove(c, state, person, form);
  const again = form["again"] !== undefined;
  const caller = await inSession(c, state, {
    operation: "passkeys.list",
    email: (form["email"] ?? "").trim().toLowerCase(),
    fresh: again || code !== undefined,
    form: pick(form, ["email", CODE_FIELD]) as Form,
  });
  return "page" in caller ? caller.page : c.redirect("your-passkeys", 303);
}

async function add(c: ServerContext, state: ServerState, person: Person, form: Form): Promise<Markup> {
  const { made = "", confirm } = form;
  if (made === "refused") throw fail("passkey_limit");
  const caller = await ownerCallerOf(c, state, person, "passkeys.create");
  const added = (await state.letterslot.call(caller, "passkeys.create", {
    passkey: readSigned(made),
    ...pick(form, ["name"]),
    ...(confirm === undefined ? {} : { confirm: readSigned(confirm) }),
  })) as Passkey;
  return listPage(c, state, person, { notice: addedNotice(added, state.letterslot.services.clock.now()) });
}

async function remove(c: ServerContext, state: ServerState, person: Person, form: Form): Promise<Markup> {
  const { remove: passkey_id = "", confirm } = form;
  const before = await passkeysOf(c, state, person);
  const removed = before.find(({ id }) => id === passkey_id);
  if (removed === undefined) throw fail("passkey_not_found");
  const caller = await ownerCallerOf(c, state, person, "passkeys.delete");
  await state.letterslot.call(caller, "passkeys.delete", {
    passkey_id,
    ...(confirm === undefined ? {} : { confirm: Buffer.from(confirm).toString("base64url") }),
  });
  const left = before.filter(({ id }) => id !== passkey_id);
  const now = state.letterslot.services.clock.now();
  return listPage(c, state, person, { notice: removedNotice(removed, left, now) });
}

async function passkeysOf(c: ServerContext, state: ServerState, person: Person): Promise<Passkey[]> {
  const caller = await ownerCallerOf(c, state, person, "passkeys.list");
  return (await state.letterslot.as(caller).passkeys.list({})).data;
}

async function listPage(
  c: ServerContext,
  state: ServerState,
  person: Person | undefined,
  said: Pick<Shown, "notice" | "problem"> = {},
): Promise<Markup> {
  const offer = offerPasskeys(c, state);
  if (offer === undefined) return noPasskeysPage();
  if (person === undefined) return whosePage(offer);
  const session = await state.letterslot
    .as(await ownerCallerOf(c, state, person, "sessions.get"))
    .sessions.get({});
  const now = state.letterslot.services.clock.now();
  const recent = new Date(session.created_at).getTime() + LIMITS.recent_sign_in_ms > now.getTime();
  return passkeysPage({
    ...{ email: person.email, passkeys: await passkeysOf(c, state, person) },
    ...{ now, recent, offer, ...said },
  });
}
