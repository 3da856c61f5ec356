import type { Block } from "./layout.ts";

/** The line of a letter that says where it was requested; none for letters of earlier versions. */
export const askedFromBlocks = (asked: { browser: string; network: string | null } | undefined): Block[] => {
  if (asked === undefined) return [];
  const { browser, network } = asked;
  const place = network === null ? "" : `, from the network ${network}`;
  return [{ kind: "text", text: `It was asked for with ${browser}${place}.` }];
};
