/**
 * Who imports whom (ARCHITECTURE.md), as rules. Imports of types are seen too; where only types are allowed,
 * `type-only` says so.
 * @type {import("dependency-cruiser").IConfiguration}
 */
const TESTS = "(\\.test\\.tsx?$|^packages/[^/]+/test/|^test/|^examples/|^bench/|^scripts/)";
const BUILD = "(^|/)(tsup|vitest)\\.config\\.ts$";

/** The areas of core below the wings, each importing only those before it. */
const AREAS = ["catalogue", "model", "ports", "mail", "kernel"];
/** What an area may not import of those before it: mail needs no port, and kernel knows nothing of mail. */
const APART = { mail: ["ports"], kernel: ["mail"] };
/**
 * The wings of core and the features in each: a wing imports only those before it, a feature only those before it in
 * its wing. A new feature takes its place here.
 */
const WINGS = {
  limits: ["budgets", "health", "metrics", "plans"],
  mailbox: [
    "contacts",
    "canaries",
    "allowlist",
    "lists",
    "messages",
    "search",
    "suppressions",
    "threads",
    "uploads",
    "refusals",
  ],
  phone: ["telephony"],
  owners: [
    "notifications",
    "tasks",
    "receipts",
    "passkeys",
    "approvals",
    "owners",
    "oauth-grants",
    "sessions",
    "updates",
  ],
  events: ["feed", "consumers", "webhooks"],
  traffic: [
    "bounces",
    "gate",
    "contacts",
    "sending",
    "forwarding",
    "rules",
    "expectations",
    "inbound",
    "attachments",
    "views",
  ],
  account: [
    ...[
      "inboxes",
      "transfer",
      "erasing",
      "accounts",
      "workspaces",
      "domains",
      "recovery",
      "pairing",
      "product-notes",
    ],
    ...["export", "overview"],
  ],
};
/** Libraries that are built into our packages, so that they are dev dependencies (scripts/tsup-base.ts). */
const BUNDLED = [
  "@modelcontextprotocol/server",
  "libphonenumber-js",
  "mailauth",
  "postal-mime",
  "prom-client",
  "stdnum",
  "tldts",
];
/** What several packages need on Node: private, and built into each of them, so that it is a dev dependency too. */
const KIT = "node-kit";
/** Simulated mail domains: private, and built into the command line. */
const WORLD = "outside-world";
/** Adapters made with @letterslot/sql. */
const SQL_ADAPTERS = ["adapter-sqlite", "adapter-postgres"];
/** The folders of other packages, each importing only those before it. */
const FOLDERS = {
  server: ["request", "pages", "docs", "internal", "http", "process"],
  "adapter-smtp": ["sender", "reading", "transport", "listener"],
  cli: ["frame", "present", "profile", "catalogue", "listen", "mailbox", "demo", "commands"],
};

const CORE = "^packages/core/src";
const oneOf = (names) => `(${names.join("|")})`;
const PLACES = Object.entries(WINGS).map(([wing, features]) => `${wing}/${oneOf(features)}`);

/** One rule for each folder that others come after: none of those may be imported, not even for a type. */
const downwards = (name, root, folders) =>
  folders.slice(0, -1).map((folder, index) => ({
    name,
    comment: `Folders import only those before them: ${folders.join(", ")} (ARCHITECTURE.md). Types count too.`,
    severity: "error",
    from: { path: `${root}/${folder}/`, pathNot: TESTS },
    to: { path: `${root}/${oneOf(folders.slice(index + 1))}/` },
  }));

export default {
  forbidden: [
    ...downwards("core-imports-downwards", CORE, [...AREAS, ...Object.keys(WINGS)]),
    ...Object.entries(WINGS).flatMap(([wing, features]) =>
      downwards("core-imports-downwards", `${CORE}/${wing}`, features),
    ),
    ...Object.entries(APART).map(([area, others]) => ({
      name: "core-imports-downwards",
      comment: "mail is pure: it needs no port; kernel and mail don't know each other.",
      severity: "error",
      from: { path: `${CORE}/${area}/`, pathNot: TESTS },
      to: { path: `${CORE}/${oneOf(others)}/` },
    })),
    {
      name: "root-is-above",
      comment: "The files at the root of core/src put everything together: no folder imports them.",
      severity: "error",
      from: { path: `${CORE}/.+/`, pathNot: TESTS },
      to: { path: `${CORE}/[^/]+\\.ts$` },
    },
    {
      name: "every-folder-has-its-place",
      comment: "A new folder of core/src gets its place in AREAS or WINGS of .dependency-cruiser.mjs.",
      severity: "error",
      from: { path: `${CORE}/[^/]+/`, pathNot: `${CORE}/${oneOf([...AREAS, ...PLACES])}/` },
      to: {},
    },
    {
      name: "features-have-a-face",
      comment: "Import a feature of another wing through its index.ts: the rest is its own business.",
      severity: "error",
      from: { path: `${CORE}/([^/]+)(/|\\.ts$)`, pathNot: [TESTS, `${CORE}/operations\\.ts$`] },
      to: {
        path: `${CORE}/${oneOf(Object.keys(WINGS))}/`,
        pathNot: [`${CORE}/$1/`, `${CORE}/[^/]+/[^/]+/index\\.ts$`],
      },
    },
    ...Object.entries(FOLDERS).flatMap(([name, folders]) =>
      downwards("folders-import-downwards", `^packages/${name}/src`, folders),
    ),
    {
      name: "core-stands-alone",
      comment: "Core imports no other package of ours: what it needs from outside is a port.",
      severity: "error",
      from: { path: "^packages/core/" },
      to: { path: "^(packages/(?!core/)|examples/|bench/)" },
    },
    {
      name: "client-takes-types-only-from-core",
      comment: "The client runs anywhere and stays small: `import type` from core, nothing else of ours.",
      severity: "error",
      from: { path: "^packages/client/", pathNot: [TESTS, BUILD] },
      to: { path: "^packages/(?!client/)", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "client-has-no-dependencies",
      comment: "The client runs on what every runtime has: it imports values from its own files only.",
      severity: "error",
      from: { path: "^packages/client/", pathNot: [TESTS, BUILD] },
      to: { pathNot: "^packages/(client|core)/", dependencyTypesNot: ["type-only", "core"] },
    },
    {
      name: "client-knows-no-node",
      comment: "The client runs outside Node too: no node: import, not even of a type.",
      severity: "error",
      from: { path: "^packages/client/", pathNot: [TESTS, BUILD] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "sql-knows-core-only",
      severity: "error",
      from: { path: "^packages/sql/", pathNot: TESTS },
      to: { path: "^packages/(?!(core|sql)/)" },
    },
    {
      name: "sql-adapters-know-core-and-sql",
      severity: "error",
      from: { path: `^packages/${oneOf(SQL_ADAPTERS)}/`, pathNot: TESTS },
      to: { path: "^packages/(?!(core|sql)/)", pathNot: "^packages/$1/" },
    },
    {
      name: "node-kit-knows-nobody",
      severity: "error",
      from: { path: `^packages/${KIT}/`, pathNot: [TESTS, BUILD] },
      to: { path: "^packages/", pathNot: `^packages/${KIT}/` },
    },
    {
      name: "adapters-know-core-only",
      severity: "error",
      from: {
        path: `^packages/((?!${oneOf(SQL_ADAPTERS)}/)(?:adapter-[^/]+|oauth|passkeys|content-scan|text-extraction))/`,
        pathNot: TESTS,
      },
      to: { path: `^packages/(?!(core|${KIT})/)`, pathNot: "^packages/$1/" },
    },
    {
      name: "adapters-need-no-internals",
      comment:
        "What an adapter needs is in @letterslot/core/ports, for everybody: /internal may change at any time.",
      severity: "error",
      from: {
        path: "^(packages/(adapter-[^/]+|content-scan|passkeys|text-extraction)|examples)/",
        pathNot: TESTS,
      },
      to: { path: "^packages/core/internal/" },
    },
    {
      name: "only-main-names-adapters",
      comment:
        "Everything else gets its adapters handed in, so that any part can be replaced: put the choice in server/src/process/adapters.ts.",
      severity: "error",
      from: {
        pathNot: [
          TESTS,
          "^packages/(adapter-[^/]+|oauth|passkeys|sql|content-scan|text-extraction)/",
          "^packages/server/src/process/adapters\\.ts$",
          "^packages/server/testing/",
        ],
      },
      to: { path: "^packages/(adapter-[^/]+|oauth|passkeys|content-scan|text-extraction)/" },
    },
    {
      name: "rules-are-pure",
      comment:
        "rules.ts decides from what it is given: types of a port or context are fine, the thing itself is not.",
      severity: "error",
      from: { path: "^packages/core/src/.*rules\\.ts$" },
      to: {
        path: "^packages/core/src/(ports/|kernel/context\\.ts|letterslot\\.ts|.*operations?\\.ts)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "operations-go-through-the-catalogue",
      comment:
        "A feature's operations.ts is for src/operations.ts; what another feature needs is a flow of its own, in a <verb>.ts.",
      severity: "error",
      from: { path: "^packages/", pathNot: [TESTS, "^packages/core/src/operations\\.ts$"] },
      to: { path: "^packages/core/src/.+/operations\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "packages-meet-at-their-exports",
      comment: "Import another package by its name, not by a path into its folder.",
      severity: "error",
      from: { path: "^(packages/[^/]+|examples/[^/]+)/" },
      to: { path: "^packages/", pathNot: "^$1/", dependencyTypes: ["local"] },
    },
    {
      name: "no-cycles",
      comment: "Files that need each other are one thing or lack a third one. Imports of types count too.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "code-does-not-import-tests",
      severity: "error",
      from: { pathNot: TESTS },
      to: { path: "\\.test\\.tsx?$" },
    },
    {
      name: "published-code-uses-declared-dependencies",
      comment:
        "What package.json does not list under dependencies is not there when the package is installed.",
      severity: "error",
      from: { path: "^packages/[^/]+/(src|testing|conformance)/", pathNot: TESTS },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg"],
        dependencyTypesNot: ["type-only", "npm-peer"],
        pathNot: [`node_modules/${oneOf(BUNDLED)}/`, `^packages/${oneOf([KIT, WORLD])}/`],
      },
    },
    {
      name: "every-import-resolves",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^virtual:" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/|/\\.types/|^coverage/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".d.ts", ".json"],
    },
  },
};
