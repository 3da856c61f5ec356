import type { Letter } from "../messages/index.ts";
import type { KeyRecord } from "../model/keys.ts";
import { layOut } from "./layout.ts";

type NamedKey = Pick<KeyRecord, "id" | "name" | "prefix">;

/** The letter with which a person recovers a key. It is in no inbox, so there is no copy without its secret. */
export function recoveryLetter({ link, host }: { link: string; host: string }): Letter {
  return layOut({
    subject: `Recover a key on ${host}`,
    blocks: [
      { kind: "heading", text: "Recover a key" },
      { kind: "text", text: "Somebody asked for a new API key in your name. Open this link to create it:" },
      { kind: "buttons", buttons: [{ label: "Recover a key", url: link }] },
      { kind: "text", text: "You will be asked to sign in with a code that we email to you." },
      { kind: "text", text: "Never pass this link on; your agent doesn't need it." },
    ],
    footer: [
      { kind: "note", text: "The link is valid for 30 minutes, and only until you ask for another one." },
      { kind: "note", text: "Didn't ask for this? Ignore this email: without you nobody gets a key." },
    ],
  });
}

/** The letter that tells those in charge that one of them has recovered a key. */
export function keyRecoveredLetter(facts: {
  /** Who recovered it. */
  email: string;
  /** What it is for, in words. */
  over: string;
  key: NamedKey;
  keys_revoked: number;
  apps_revoked: number;
  host: string;
}): Letter {
  const { email, over, key, keys_revoked, apps_revoked, host } = facts;
  return layOut({
    subject: `A new key was recovered for ${over}`,
    blocks: [
      { kind: "heading", text: "A new key was recovered" },
      { kind: "text", text: `${email} has recovered a key for ${over}, on ${host}.` },
      { kind: "list", items: [keyItem(key)] },
      ...(keys_revoked + apps_revoked === 0
        ? []
        : [
            {
              kind: "text" as const,
              text: `Revoked with it: ${keys_revoked} other keys, ${apps_revoked} apps.`,
            },
          ]),
      {
        kind: "text",
        text: "Was this not right? Sign in, revoke the key, and end the authority of whoever recovered it.",
      },
    ],
    footer: [
      { kind: "note", text: "You get this email because you are in charge there, or an owner of the inbox." },
    ],
  });
}

/** The letter to those who stay in charge when a person's authority has ended: the keys that they recovered. */
export function keysLeftLetter(facts: {
  /** Whose authority ended. */
  email: string;
  account_id: string;
  keys: readonly NamedKey[];
  /** How many more keys there are. */
  more: number;
  host: string;
}): Letter {
  const { email, account_id, keys, more, host } = facts;
  return layOut({
    subject: `Keys that ${email} recovered still work`,
    blocks: [
      { kind: "heading", text: "These keys still work" },
      {
        kind: "text",
        text: `${email} no longer has authority in the account ${account_id}, on ${host}, but recovered these keys:`,
      },
      { kind: "list", items: keys.map(keyItem) },
      ...(more === 0 ? [] : [{ kind: "text" as const, text: `And ${more} more.` }]),
      {
        kind: "text",
        text: "Revoke those that nobody needs: in your session that also revokes the keys that were created with them.",
      },
    ],
    footer: [
      { kind: "note", text: "You get this email because you are in charge of the account or the inbox." },
    ],
  });
}

const keyItem = ({ id, name, prefix }: NamedKey) => ({ text: `${name}, ${prefix}…`, more: id });
