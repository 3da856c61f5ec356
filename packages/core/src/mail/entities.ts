const NAMED: Record<string, string> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", commat: "@", period: ".", colon: ":" },
  ...{ sol: "/", lowbar: "_", num: "#", plus: "+", hyphen: "-", dash: "-", shy: "", zwnj: "", zwj: "" },
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,10}));?/gi;

/** Decodes the character references of HTML that addresses, numbers and secrets can be hidden behind. */
export function decodeHTML(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const point = Number.parseInt(decimal ?? hex ?? "", decimal === undefined ? 16 : 10);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
