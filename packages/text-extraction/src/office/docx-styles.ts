import { attributeReader } from "./package-parts.ts";

/** The maximum length of a chain of styles that are each based on the next. */
const MAX_STYLE_DEPTH = 20;

/** The styles of a DOCX, as far as they hide text. */
export interface DocxStyles {
  /** Takes the bytes of the part with the styles. */
  read: (chunk: Uint8Array) => void;
  /** Whether text of this style is hidden (ECMA-376, part 1, section 17.3.2.41). */
  hides(style: string): boolean;
}

/** Reads which styles hide text. */
export function readDocxStyles(): DocxStyles {
  const styles = new Map<string, { based_on?: string; hidden?: boolean }>();
  let current: { based_on?: string; hidden?: boolean } = {};
  return {
    read: attributeReader(["styleId", "val"], (name, attributes) => {
      const value = attributes["val"];
      if (name === "style") {
        current = {};
        styles.set(attributes["styleId"] ?? "", current);
      }
      if (name === "basedOn" && value !== undefined) current.based_on = value;
      if (name === "vanish") current.hidden = isOn(value);
    }),
    hides(style) {
      let name: string | undefined = style;
      for (let depth = 0; name !== undefined && depth < MAX_STYLE_DEPTH; depth++) {
        const found = styles.get(name);
        if (found?.hidden !== undefined) return found.hidden;
        name = found?.based_on;
      }
      return false;
    },
  };
}

/** Whether a property is on: without a value it is (ECMA-376, part 1, section 17.17.4). */
export const isOn = (value: string | undefined): boolean => !["0", "false", "off"].includes(value ?? "1");
