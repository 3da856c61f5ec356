import type { HtmlElement, HtmlText } from "../new-words/html-tree.ts";
import { hidesBy, hidingClasses, type Paint, paintOf } from "../screening/html-hiding.ts";

const PAPER: Paint = { color: "black", background: "white" };

/** The texts of an HTML mail that a person doesn't see, by the rules of screening. Linear. */
export function hiddenTexts(root: HtmlElement): ReadonlySet<HtmlText> {
  const hidden = new Set<HtmlText>();
  const classes = new Map<string, string>();
  const walk = (element: HtmlElement, above: Paint, concealed: boolean): void => {
    const paint = paintOf(element.name, element.attributes, above);
    const hides = concealed || hidesBy(element.attributes, paint, classes) !== null;
    for (const child of element.children) {
      if (child.kind === "element") walk(child, paint, hides);
      else if (element.name === "style")
        for (const [name, how] of hidingClasses(child.text)) classes.set(name, how);
      else if (hides) hidden.add(child);
    }
  };
  walk(root, PAPER, false);
  return hidden;
}
