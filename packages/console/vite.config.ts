import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { themeVariables } from "@letterslot/core/internal";
import tailwind from "@tailwindcss/vite";
import { defineConfig } from "vite";

const THEME = "virtual:theme.css";
const SITE = join(import.meta.dirname, "dist/site");

export default defineConfig({
  root: join(import.meta.dirname, "app"),
  // Wherever a program mounts it, its files are beside its page.
  base: "./",
  publicDir: false,
  plugins: [
    tailwind(),
    {
      name: "theme",
      resolveId: (id) => (id === THEME ? `\0${THEME}` : null),
      load: (id) => (id === `\0${THEME}` ? themeVariables() : null),
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
