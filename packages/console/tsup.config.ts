import { buildOf } from "../../scripts/tsup-base.ts";

export default buildOf(import.meta.dirname);
