export { assignByRule } from "./assign.ts";
