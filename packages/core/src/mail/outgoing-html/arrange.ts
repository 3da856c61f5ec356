import type { CleanElement, CleanNode } from "./clean-tree.ts";

/**
 * Arranges an element's children as browsers would read them back: a table has rows, a row has cells, what
 * stands loose in them gets a cell of its own, in its place; cells, rows and list items elsewhere become plain
 * blocks. So that no browser moves words to another place (HTML, "13.2.6 Tree construction").
 */
export function arranged(parent: string, children: readonly CleanNode[]): CleanNode[] {
  if (parent === "table") return [element("tbody", rowsOf(children))];
  if (parent === "tr") return cellsOf(children);
  return children.map((child) => {
    if (typeof child === "string") return child;
    if (child.name === "li" && (parent === "ul" || parent === "ol")) return child;
    return LOOSE.has(child.name) ? plainBlock(child) : child;
  });
}

const CELL_STYLES: ReadonlySet<string> = new Set("box-sizing display height vertical-align width".split(" "));
const LOOSE: ReadonlySet<string> = new Set(["li", "td", "tr"]);

function rowsOf(children: readonly CleanNode[]): CleanElement[] {
  const rows: CleanElement[] = [];
  let loose: CleanNode[] = [];
  const end = () => {
    const cells = cellsOf(loose);
    if (cells.length > 0) rows.push(element("tr", cells));
    loose = [];
  };
  for (const child of children) {
    if (typeof child === "string" || child.name !== "tr") loose.push(child);
    else {
      end();
      rows.push(child);
    }
  }
  end();
  return rows;
}

function cellsOf(children: readonly CleanNode[]): CleanElement[] {
  const cells: CleanElement[] = [];
  let loose: CleanNode[] = [];
  const end = () => {
    const fills = loose.some((node) => typeof node !== "string" || node.trim() !== "");
    if (fills) cells.push(element("td", arranged("td", loose)));
    loose = [];
  };
  for (const child of children) {
    if (typeof child === "string" || child.name !== "td") loose.push(child);
    // Browsers put neighbouring cells that are blocks in one cell.
    else if (child.style?.has("display")) loose.push(plainBlock(child));
    else {
      end();
      cells.push(child);
    }
  }
  end();
  return cells;
}

function plainBlock({ name, attributes, style, children }: CleanElement): CleanElement {
  const { colspan: _colspan, ...rest } = attributes;
  return {
    name: "div",
    attributes: rest,
    ...(style && { style: blockStyle(style) }),
    children: name === "tr" ? arranged("div", children) : children,
  };
}

/** A cell's style without what is safe in cells alone, which grow with their words. */
const blockStyle = (style: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...style].filter(([property]) => !CELL_STYLES.has(property)));

const element = (name: string, children: CleanNode[]): CleanElement => ({ name, attributes: {}, children });
