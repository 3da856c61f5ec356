export { liveLink, newLink, openFileLink } from "./links.ts";
