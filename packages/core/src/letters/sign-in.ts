import type { Letter } from "../messages/index.ts";
import { layOut } from "./layout.ts";

/** The letter with which a person signs in. It is in no inbox, so there is no copy without its secrets. */
export function signInLetter({ code, link, host }: { code: string; link: string; host: string }): Letter {
  return layOut({
    subject: `${code} is your sign-in code for ${host}`,
    blocks: [
      { kind: "heading", text: "Your sign-in code" },
      { kind: "text", text: `Enter this code where you asked for it, on ${host}:` },
      { kind: "code", code },
      { kind: "text", text: "Or open this link, in the browser in which you asked for it:" },
      { kind: "buttons", buttons: [{ label: "Sign in", url: link }] },
      { kind: "text", text: "Never pass this code on; your agent doesn't need it." },
    ],
    footer: [
      { kind: "note", text: "The code and the link are valid for 15 minutes." },
      { kind: "note", text: "Didn't ask for this? Ignore this email: without it nobody can sign in." },
    ],
  });
}
