import { createHash, randomBytes } from "node:crypto";
import { createClient } from "@letterslot/client";
import { defineCommand } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import { CliError, EXIT, wrongUse } from "../frame/exit.ts";
import { hasBrowser, listenForAnswer, openBrowser } from "../profile/browser.ts";
import { type OAuthTokens, storeProfile } from "../profile/config-file.ts";
import { chosenProfile } from "../profile/connect.ts";
import { type AuthorizationServer, discover, register, requestTokens } from "../profile/oauth.ts";

/** `letterslot login`: a person lets this program in. */
export const command = defineCommand({
  summary: "Logs you in: a browser asks you what this program may do",
  about:
    "For people whose mailbox has charge of an account. No key is copied, and the access ends with letterslot logout, or at the server at any time. Over ssh, or with --no-browser, an address is printed to open anywhere, and the code that is shown there is asked for. No login may manage keys, owners and workspaces: these need a key.",
  examples: [
    "letterslot login",
    "letterslot login --url https://mail.example.com --profile work --no-browser",
  ],
  options: {
    browser: { kind: "switch", about: "open a browser here and wait for it; by default unless over ssh" },
    scope: {
      kind: "text",
      about: "the permissions to ask for, separated by spaces; all that an app may have by default",
      placeholder: "permissions",
    },
  },
  async run(context, { browser, scope }) {
    const { env, output } = context;
    const { name, base_url } = chosenProfile(context);
    const oauth = await letIn(context, base_url, { browser: browser ?? hasBrowser(env), scope });
    const me = await createClient({ baseUrl: base_url, apiKey: oauth.access_token }).me.get();
    const [inbox, ...others] = me.access.inbox_ids ?? [];
    const own = inbox === undefined || others.length > 0 ? {} : { inbox };
    await storeProfile(env, name, { url: base_url, oauth, ...own });
    await output.done(`Logged in at ${base_url} as profile ${name}. Try letterslot whoami.`, {
      object: "login",
      profile: name,
      url: base_url,
      account_id: me.account_id,
      scope: oauth.scope,
    });
  },
});

interface Wishes {
  browser: boolean;
  scope: string | undefined;
}

/** Asks the person in their browser, and exchanges the code that comes back. */
async function letIn(context: Context, base_url: string, { browser, scope }: Wishes): Promise<OAuthTokens> {
  const { signal, env, terminal } = context;
  const server = await discover(base_url, signal);
  const shown_at = `${base_url}/oauth/code`;
  const state = randomText();
  const loopback = browser ? await listenForAnswer(state, signal) : undefined;
  try {
    const redirect_uri = loopback?.redirect_uri ?? shown_at;
    const client_id = await register(server, [redirect_uri], signal);
    const code_verifier = randomText();
    const resource = `${base_url}/api/v1`;
    const url = new URL(server.authorization_endpoint);
    url.search = new URLSearchParams({
      response_type: "code",
      client_id,
      redirect_uri,
      scope: scope ?? server.scopes_supported?.join(" ") ?? "",
      resource,
      state,
      code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
      code_challenge_method: "S256",
    }).toString();
    const code = loopback === undefined ? await askForCode(context, url.href) : undefined;
    if (loopback !== undefined) {
      terminal.note(`Answer in your browser. If none opens, open this address there:\n  ${url.href}`);
      openBrowser(url.href, env);
    }
    const token_url = server.token_endpoint;
    const revoke_url = server.revocation_endpoint ?? null;
    const request = { client_id, token_url, revoke_url, redirect_uri, code_verifier, resource };
    return await requestTokens({ ...request, code: code ?? codeIn(await loopback?.answer, server) }, signal);
  } finally {
    loopback?.close();
  }
}

const randomText = (): string => randomBytes(32).toString("base64url");

async function askForCode({ terminal }: Context, url: string): Promise<string> {
  if (!terminal.interactive)
    throw wrongUse(
      "A login needs a terminal, to ask for the code.",
      "In a program, use a key: LETTERSLOT_API_KEY. On a machine with a browser: letterslot login --browser.",
    );
  terminal.note(`Open this address in a browser, anywhere:\n  ${url}`);
  const code = await terminal.ask("The code that it shows: ");
  if (code === "") throw wrongUse("There is no code.", "Begin again with letterslot login.");
  return code;
}

/** The code in the answer, which must come from the server that was asked (RFC 9207). */
function codeIn(answer: URLSearchParams | undefined, { issuer }: AuthorizationServer): string {
  if (answer?.get("error") === "access_denied")
    throw new CliError("You did not allow it.", { exit: EXIT.refused });
  const code = answer?.get("code");
  if (code == null || answer?.get("iss") !== issuer)
    throw new CliError(
      `The server did not let you in: ${answer?.get("error_description") ?? answer?.get("error") ?? "no code"}`,
      {
        exit: EXIT.refused,
        fix: "Begin again with letterslot login.",
      },
    );
  return code;
}
