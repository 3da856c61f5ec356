import { buildOf } from "../../scripts/tsup-base.ts";

/** Of stdnum's numbers, 11 MB of them, the worker needs some forty. */
export default buildOf(import.meta.dirname, { bundleLibraries: "commonjs" });
