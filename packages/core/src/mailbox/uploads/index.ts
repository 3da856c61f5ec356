export { attachedBy } from "./attach.ts";
export type { Attaching } from "./fetch.ts";
export { type Arriving, receiveUpload } from "./receive.ts";
export { deleteUpload, endUpload, renewUploads } from "./store.ts";
