/**
 * Who imports whom (ARCHITECTURE.md), as rules. Imports of types are seen too; where only types are allowed,
 * `type-only` says so.
 * @type {import("dependency-cruiser").IConfiguration}
 */
const TESTS = "(\\.test\\.tsx?$|^packages/[^/]+/test/|^test/|^examples/|^bench/|^scripts/)";
const BUILD = "(^|/)(tsup|vitest)\\.config\\.ts$";

export default {
  forbidden: [
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
      from: { path: "^packages/(adapter-(?:sqlite|postgres))/", pathNot: TESTS },
      to: { path: "^packages/(?!(core|sql)/)", pathNot: "^packages/$1/" },
    },
    {
      name: "adapters-know-core-only",
      severity: "error",
      from: {
        path: "^packages/((?!adapter-sqlite/|adapter-postgres/)(?:adapter-[^/]+|text-extraction))/",
        pathNot: TESTS,
      },
      to: { path: "^packages/(?!core/)", pathNot: "^packages/$1/" },
    },
    {
      name: "only-main-names-adapters",
      comment:
        "Everything else gets its adapters handed in, so that any part can be replaced: put the choice in server/src/process/start.ts.",
      severity: "error",
      from: {
        pathNot: [
          TESTS,
          "^packages/(adapter-[^/]+|sql|text-extraction)/",
          "^packages/server/src/process/start\\.ts$",
        ],
      },
      to: { path: "^packages/(adapter-[^/]+|text-extraction)/" },
    },
    {
      name: "rules-are-pure",
      comment:
        "rules.ts decides from what it is given: types of a port or context are fine, the thing itself is not.",
      severity: "error",
      from: { path: "^packages/core/src/.*rules\\.ts$" },
      to: {
        path: "^packages/core/src/(ports/|context\\.ts|letterslot\\.ts|.*operations?\\.ts)",
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
      comment: "Cycles of types alone do no harm at run time and are allowed.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
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
        dependencyTypesNot: ["type-only"],
      },
    },
    { name: "every-import-resolves", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/|^coverage/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".d.ts", ".json"],
    },
  },
};
