import { SENTENCES } from "../../catalogue/letter-frames.ts";
import { newLetterWord } from "../../catalogue/letter-words.ts";
import type { Services } from "../../kernel/context.ts";
import type { LetterSecret } from "../../kernel/letters/letter-secrets.ts";
import type { Block } from "./layout.ts";

/** The links to an owner's own pages in one letter, and their secrets. */
export interface OwnerPages {
  style_url: string;
  unsubscribe_url: string;
  /** The URL that mail programs post to for one-click unsubscription (RFC 8058): no confirmation follows. */
  one_click_url: string;
  /** The secrets in these links, to be stored with the letter. */
  secrets: readonly LetterSecret[];
}

/** Makes the links to an owner's own pages, with new secrets for one letter. */
export function newOwnerPages({ options }: Pick<Services, "options">): OwnerPages {
  const [page, one_click] = [newLetterWord(), newLetterWord()];
  const url = (name: string, secret: string) => `${options.baseUrl}/api/v1/owners/${name}?token=${secret}`;
  return {
    style_url: url("style", page),
    unsubscribe_url: url("unsubscribe", page),
    one_click_url: url("unsubscribe", one_click),
    secrets: [
      { secret: page, kind: "page" },
      { secret: one_click, kind: "unsubscribe" },
    ],
  };
}

/** The small links at the end of update letters. */
export function ownerPages({
  style_url,
  unsubscribe_url,
}: {
  style_url: string;
  unsubscribe_url: string;
}): Block {
  return {
    kind: "pages",
    links: [
      { label: SENTENCES.update.preferences, url: style_url },
      { label: SENTENCES.update.stop, url: unsubscribe_url },
    ],
  };
}

/** The small link at the end of other letters to an owner, which can't be stopped. */
export const stylePageLink = ({ style_url }: { style_url: string }): Block => ({
  kind: "pages",
  links: [{ label: SENTENCES.update.preferences, url: style_url }],
});

/** The headers for one-click unsubscribe in mail programs (RFC 8058). */
export const unsubscribeHeaders = ({
  one_click_url,
}: Pick<OwnerPages, "one_click_url">): Record<string, string> => ({
  "List-Unsubscribe": `<${one_click_url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});
