import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT } from "./run-command.ts";

/**
 * What people read on the console stands in `app/words`, so that a further language is a file there. The page of components
 * is for those who build it.
 */
const APP = join(ROOT, "packages/console/app");
const FILES = globSync("{api,ui,views}/**/*.{ts,tsx}", { cwd: APP }).concat("app.tsx", "main.tsx");
const FOR_BUILDERS = "views/components.tsx";

/** Attributes and properties that people read or hear. */
const READ = /^(?:aria-label|alt|title|label|placeholder|lead|hint|legend|detail|submit|text|heading)$/;
const WORD = /\p{L}{2,}/u;
/** Two words or more that begin as a sentence does. */
const SENTENCE = /^\p{Lu}\p{Ll}*(?:'\p{Ll}+)? \p{L}/u;

/** The words for people in a file of source. */
function wordsIn(name: string, source: string): string[] {
  const found: string[] = [];
  const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isJsxText(node)) {
      if (WORD.test(node.text)) found.push(node.text.trim());
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) {
      const around = node.parent;
      const named =
        (ts.isJsxAttribute(around) || ts.isPropertyAssignment(around)) && READ.test(around.name.getText());
      if ((named && WORD.test(node.text)) || SENTENCE.test(node.text)) found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, kind));
  return found;
}

test("no sentence of the console stands outside its words", () => {
  expect(FILES.length).toBeGreaterThan(80);
  const found = FILES.filter((file) => file !== FOR_BUILDERS).flatMap((file) =>
    wordsIn(file, readFileSync(join(APP, file), "utf8")).map((words) => `${file}: ${words}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["<p>Nothing here</p>", ["Nothing here"]],
  ["<p>{count} mails</p>", ["mails"]],
  ['<Button aria-label="Close" class="grid gap-2" />', ["Close"]],
  ['<View title={words.title} kind="primary" href="/operations" />', []],
  ['say("It is done")', ["It is done"]],
  ["say(`It was ${done}`)", ["It was "]],
  ['const row = { label: "Name", value: "name" }', ["Name"]],
  ['throw new Error("nobody is signed in")', []],
])("words for people in %s", (source, words) => {
  expect(wordsIn("a.tsx", source)).toEqual(words);
});
