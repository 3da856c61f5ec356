import { createHash } from "node:crypto";
import { MARK_SVG, themeVariables } from "@letterslot/core/internal";

const STYLE = `${themeVariables()}
:root { color-scheme: light dark; }
body { margin: 0; background: var(--paper); color: var(--ink); font: var(--type-text)/var(--type-text-line) var(--fonts); }
header, main { max-width: 34rem; margin: 0 auto; padding: 1.25rem 1rem 0; }
header { display: flex; align-items: center; gap: .6rem; font-weight: 600; color: var(--soft); }
svg { width: 1.75rem; height: 1.75rem; }
main > div { background: var(--sheet); border: 1px solid var(--line); border-radius: var(--round-sheet); padding: 1.5rem; box-shadow: var(--shade); }
h1 { font: 600 var(--type-head)/var(--type-head-line) var(--fonts); margin: 0 0 .75rem; }
p { margin: .5rem 0; }
pre { font: .9em/1.5 var(--code-fonts); background: var(--paper); border: 1px solid var(--line); border-radius: var(--round-field); padding: .75rem; white-space: pre-wrap; }
`;

/** The policy of the two pages: their one style. */
export const NOT_BUILT_POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Letterslot</title><style>${STYLE}</style></head>
<body>
<header>${MARK_SVG} Letterslot</header>
<main><div><h1>${title}</h1>${content}</div></main>
</body>
</html>
`;

export const BUILDING = page(
  "The console is being built",
  `<p role="status">This page looks again in some seconds.</p>`,
);

/** Says that the build failed, and what to run to see why. */
export const buildFailed = (code: number | null): string =>
  page(
    "The console could not be built",
    `<p role="alert">The build ${code === null ? "could not be started" : `ended with exit code ${code}`}; the server's log has its last lines. Run it by hand in the repository, and load this page again once it works:</p>
<pre tabindex="0">npx -y pnpm@12 --filter @letterslot/console exec vite build</pre>`,
  );
