export { type Attaching, attachedBy } from "./attach.ts";
export { type Arriving, receiveUpload } from "./receive.ts";
export { deleteUpload, endUpload, renewUploads } from "./store.ts";
