import type { Services } from "../kernel/context.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { Block } from "./layout.ts";

/** The addresses of an owner's own pages, with the token that only letters to the owner carry. */
export function ownerPageUrls(
  { options, seal }: Pick<Services, "options" | "seal">,
  owner: Pick<OwnerRecord, "sealed_page_token">,
) {
  const page = (name: string) =>
    `${options.base_url}/api/v1/owners/${name}?token=${seal.open(owner.sealed_page_token)}`;
  return { style_url: page("style"), unsubscribe_url: page("unsubscribe") };
}

/** The small links at the end of every letter that reports. */
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
      { label: "How I am written to", url: style_url },
      { label: "Stop these updates", url: unsubscribe_url },
    ],
  };
}

/** The small link at the end of letters to an owner that don't report: those can't be stopped. */
export const stylePageLink = ({ style_url }: { style_url: string }): Block => ({
  kind: "pages",
  links: [{ label: "How I am written to", url: style_url }],
});

/** The headers that let a mail program end the updates with one click (RFC 8058). */
export const unsubscribeHeaders = ({
  unsubscribe_url,
}: {
  unsubscribe_url: string;
}): Record<string, string> => ({
  "List-Unsubscribe": `<${unsubscribe_url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});
