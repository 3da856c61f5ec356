import { SENTENCES } from "../../catalogue/letter-frames.ts";
import { shownTimeWithYear } from "../../catalogue/shown-time.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { Letter } from "../../model/letters.ts";
import { askedFromBlocks } from "./asked-from.ts";
import { layOut } from "./layout.ts";

type NamedKey = Pick<KeyRecord, "name" | "prefix" | "created_at">;

/** The letter with which a person recovers a key. It is in no inbox, so there is no copy without its secret. */
export function recoveryLetter({
  link,
  host,
  asked_from,
}: {
  link: string;
  host: string;
  asked_from: Parameters<typeof askedFromBlocks>[0];
}): Letter {
  return layOut({
    subject: `Recover a key on ${host}`,
    from: { host },
    tone: "account",
    blocks: [
      { kind: "heading", text: "Recover a key" },
      ...askedFromBlocks(asked_from),
      { kind: "text", text: SENTENCES.recovery.what },
      { kind: "buttons", buttons: [{ label: "Recover a key", url: link }] },
      { kind: "text", text: SENTENCES.recovery.next },
      { kind: "text", text: SENTENCES.recovery.secret },
    ],
    footer: [
      { kind: "note", text: SENTENCES.recovery.valid },
      { kind: "note", text: SENTENCES.recovery.ignore },
    ],
  });
}

/** The letter that tells those in charge that one of them has recovered a key. */
export function keyRecoveredLetter(facts: {
  /** The address of the person who recovered it. */
  email: string;
  /** The scope of the key, in words. */
  over: string;
  key: NamedKey;
  keys_revoked: number;
  apps_revoked: number;
  host: string;
}): Letter {
  const { email, over, key, keys_revoked, apps_revoked, host } = facts;
  return layOut({
    subject: `A new key was recovered for ${over}`,
    from: { host },
    tone: "account",
    blocks: [
      { kind: "heading", text: "A new key was recovered" },
      { kind: "text", text: `${email} has recovered a key for ${over}, on ${host}.` },
      { kind: "list", items: [keyItem(key)] },
      ...(keys_revoked + apps_revoked === 0
        ? []
        : [
            {
              kind: "text" as const,
              text: `Revoked with it: ${counted(keys_revoked, "other key")}, ${counted(apps_revoked, "app")}.`,
            },
          ]),
      {
        kind: "text",
        text: SENTENCES.key_recovered.wrong,
      },
    ],
    footer: [{ kind: "note", text: SENTENCES.key_recovered.why }],
  });
}

/** The letter to those who stay in charge when a person's authority has ended: the keys that they recovered. */
export function keysLeftLetter(facts: {
  /** The address of the person whose authority ended. */
  email: string;
  /** The account, by its inboxes. */
  account: string;
  keys: readonly NamedKey[];
  /** The number of further keys. */
  more: number;
  host: string;
}): Letter {
  const { email, account, keys, more, host } = facts;
  return layOut({
    subject: `Keys that ${email} recovered still work`,
    from: { host },
    tone: "problem",
    blocks: [
      { kind: "heading", text: "These keys still work" },
      {
        kind: "text",
        text: `${email} no longer has authority in the account of ${account}, on ${host}, but recovered these keys:`,
      },
      { kind: "list", items: keys.map(keyItem) },
      ...(more === 0 ? [] : [{ kind: "text" as const, text: `And ${more} more.` }]),
      {
        kind: "text",
        text: SENTENCES.keys_left.revoke,
      },
    ],
    footer: [{ kind: "note", text: SENTENCES.keys_left.why }],
  });
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const keyItem = ({ name, prefix, created_at }: NamedKey) => ({
  text: `${name}, ${prefix}…`,
  more: `Created ${shownTimeWithYear(created_at)}`,
});
