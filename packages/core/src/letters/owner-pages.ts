import type { Services } from "../kernel/context.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { Block } from "./layout.ts";

/** The URLs of an owner's own pages, with the token that only letters to the owner contain. */
export function ownerPageUrls(
  { options, seal }: Pick<Services, "options" | "seal">,
  owner: Pick<OwnerRecord, "sealed_page_token">,
) {
  const page = (name: string) =>
    `${options.base_url}/api/v1/owners/${name}?token=${seal.open(owner.sealed_page_token)}`;
  return { style_url: page("style"), unsubscribe_url: page("unsubscribe") };
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
      { label: "Email preferences", url: style_url },
      { label: "Stop these updates", url: unsubscribe_url },
    ],
  };
}

/** The small link at the end of other letters to an owner, which can't be stopped. */
export const stylePageLink = ({ style_url }: { style_url: string }): Block => ({
  kind: "pages",
  links: [{ label: "Email preferences", url: style_url }],
});

/** The headers for one-click unsubscribe in mail programs (RFC 8058). */
export const unsubscribeHeaders = ({
  unsubscribe_url,
}: {
  unsubscribe_url: string;
}): Record<string, string> => ({
  "List-Unsubscribe": `<${unsubscribe_url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});
