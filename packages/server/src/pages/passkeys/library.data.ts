import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(path, import.meta.resolve("@simplewebauthn/browser"))), "utf8");

/** `@simplewebauthn/browser` as a script, with its licence; it defines `SimpleWebAuthnBrowser`. */
export const LIBRARY: string = `/*\n${read("../LICENSE.md").trim()}\n*/\n${read("../dist/bundle/index.umd.min.js").trim()}\n`;
