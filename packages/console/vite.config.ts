import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { LIMITS } from "@letterslot/core";
import { MARK, themeVariables } from "@letterslot/core/internal";
import tailwind from "@tailwindcss/vite";
import { defineConfig } from "vite";

const { attachments, message_bytes, owner_message_chars, recent_sign_in_ms } = LIMITS;
const NAMES = ["account-name", "browser-name"].map((name) =>
  join(import.meta.dirname, `../core/src/catalogue/${name}.ts`),
);
/** What is written at build, by its name. */
const WRITTEN: Readonly<Record<string, () => string>> = {
  "virtual:theme.css": themeVariables,
  "virtual:mark": () => `export const MARK = ${JSON.stringify(MARK)}`,
  // They need nothing of core, whose entrances are for Node.
  "virtual:names": () => NAMES.map((file) => `export * from ${JSON.stringify(file)};`).join("\n"),
  "virtual:limits": () =>
    `export const LIMITS = ${JSON.stringify({ attachments, message_bytes, owner_message_chars, recent_sign_in_ms })}`,
};
const SITE = join(import.meta.dirname, "dist/site");

export default defineConfig({
  root: join(import.meta.dirname, "app"),
  // Wherever a program mounts it, its files are beside its page.
  base: "./",
  publicDir: false,
  plugins: [
    tailwind(),
    {
      name: "written",
      resolveId: (id) => (id in WRITTEN ? `\0${id}` : null),
      load: (id) => WRITTEN[id.slice(1)]?.() ?? null,
    },
    {
      name: "compress",
      closeBundle() {
        for (const file of globSync("assets/*.{js,css}", { cwd: SITE }))
          writeFileSync(join(SITE, `${file}.gz`), gzipSync(readFileSync(join(SITE, file)), { level: 9 }));
      },
    },
  ],
  build: {
    outDir: SITE,
    emptyOutDir: true,
    target: "es2022",
    // What is inlined as data: would need a looser policy.
    assetsInlineLimit: 0,
    license: { fileName: "THIRD-PARTY-NOTICES.md" },
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    // One file is one request; dynamic ones are for what few need.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "index", tags: ["$initial"] }] } } },
  },
  server: { proxy: { "/api": "http://localhost:8025", "/view": "http://localhost:8025" } },
});
