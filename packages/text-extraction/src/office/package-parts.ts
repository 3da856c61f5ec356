import { posix } from "node:path";
import { Parser } from "htmlparser2";
import { tooLarge } from "../limits.ts";

/** Relationships of one file; Office documents have a few hundred. */
const MAX_RELATIONSHIPS = 20_000;
/**
 * Open elements at a time; the parser looks through all of them at each end tag. Word itself writes a few
 * dozen.
 */
export const MAX_DEPTH = 1_000;

/** The parts of an Office file by their role, independently of their names (ECMA-376, part 2, section 9.3). */
export interface PackageParts {
  /** Returns a consumer for the bytes of a part, if it lists relationships. Those parts must come first. */
  visit(name: string): ((chunk: Uint8Array) => void) | undefined;
  /** The part that the file is about: the document or the workbook. Undefined if none is named. */
  main(): string | undefined;
  /** Returns a part's role for the main part, such as "footnotes" or "worksheet"; "main" for the main part itself. */
  role(name: string): string | undefined;
  /** Whether the file is a workbook: only those have sheets. */
  isWorkbook(): boolean;
}

interface Relationship {
  /** The last word of its type, which strict and transitional files share. */
  role: string;
  target: string;
}

/** Reads which part of a file is what. */
export function readPackageParts(): PackageParts {
  const relationships = new Map<string, Relationship[]>();
  const mainPart = () => relationships.get("")?.find(({ role }) => role === "officedocument")?.target;
  let count = 0;
  return {
    visit(name) {
      const source = sourceOf(partName(name));
      if (source === undefined) return undefined;
      const found: Relationship[] = [];
      relationships.set(source, found);
      return attributeReader(["Type", "Target", "TargetMode"], (tag, attributes) => {
        if (tag !== "Relationship" || attributes["TargetMode"] === "External") return;
        count += 1;
        if (count > MAX_RELATIONSHIPS) throw tooLarge("relationships");
        const role = attributes["Type"]?.split("/").at(-1)?.toLowerCase() ?? "";
        found.push({ role, target: partName(attributes["Target"] ?? "", posix.dirname(source)) });
      });
    },
    main: mainPart,
    role(name) {
      const main = mainPart();
      const part = partName(name);
      if (main === undefined) return undefined;
      if (part === main) return "main";
      return relationships.get(main)?.find(({ target }) => target === part)?.role;
    },
    isWorkbook: () =>
      relationships.get(mainPart() ?? "")?.some(({ role }) => role.endsWith("sheet")) ?? false,
  };
}

/**
 * Reads the elements of an XML part with those of their attributes that are in `wanted`, without namespace
 * prefixes, in the order in which they open.
 */
export function attributeReader(
  wanted: readonly string[],
  onElement: (name: string, attributes: Readonly<Record<string, string>>) => void,
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let element: { name: string; attributes: Record<string, string> } | undefined;
  let depth = 0;
  const emit = () => {
    if (element !== undefined) onElement(element.name, element.attributes);
    element = undefined;
  };
  const parser = new Parser(
    {
      onopentagname(tag) {
        emit();
        depth += 1;
        if (depth > MAX_DEPTH) throw tooLarge("nesting");
        element = { name: localName(tag), attributes: {} };
      },
      // The parser could collect the attributes itself, but then all of them, of which there is no limit.
      onattribute(attribute, value) {
        const name = localName(attribute);
        if (element !== undefined && wanted.includes(name)) element.attributes[name] = value;
      },
      onclosetag() {
        emit();
        depth -= 1;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return (chunk) => parser.write(decoder.decode(chunk, { stream: true }));
}

/** A name without its namespace prefix, which writers choose freely. */
export const localName = (tag: string): string => tag.slice(tag.indexOf(":") + 1);

/** The part whose relationships this part lists ("" is the whole file); undefined for any other part. */
function sourceOf(part: string): string | undefined {
  const { dir, name, ext } = posix.parse(part);
  if (ext !== ".rels" && name !== ".rels") return undefined;
  if (dir !== "_rels" && !dir.endsWith("/_rels")) return undefined;
  return `${dir.slice(0, -"_rels".length)}${ext === ".rels" ? name : ""}`;
}

/** The name of a part from the root of the archive, in lower case: names differ in nothing but case. */
function partName(target: string, folder = ""): string {
  return posix
    .normalize(target.startsWith("/") ? target : posix.join(folder, target))
    .replace(/^\/+/, "")
    .toLowerCase();
}
