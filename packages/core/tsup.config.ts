import { coreDeclarations } from "../../scripts/core-declarations.ts";
import { buildOf } from "../../scripts/tsup-base.ts";

export default buildOf(import.meta.dirname, {
  bundleLibraries: "modules",
  declares: () => coreDeclarations(import.meta.dirname),
});
