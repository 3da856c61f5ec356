export { addToThread, findThreadByReferences, threadIdFor } from "./attach.ts";
export { truncate } from "./code-points.ts";
export { collectBlobs, scheduleBlobCollection } from "./collect-blobs.ts";
export { deleteFromThread, deleteMessages } from "./delete.ts";
export { eraseExport, eraseExportParts } from "./erase-exports.ts";
export type { Explanation } from "./explain.ts";
export { failDraft } from "./fail-draft.ts";
export { findBody, findMessage } from "./find.ts";
export {
  AttachmentInput,
  Body,
  Correspondent,
  CustomHeaders,
  LabelsInput,
  Recipients,
  RecipientsOrNumber,
  SendFields,
  Subject,
  View,
  withNames,
} from "./inputs.ts";
export { awaitReferences, findAwaitingThreads, isAwaited, joinThreads } from "./join-threads.ts";
export { listMessages } from "./list.ts";
export { stopLoop } from "./loop.ts";
export { type Outgoing, queueOutgoing, type ReadBodies, readBodies } from "./outgoing.ts";
export { readParentText } from "./parent-text.ts";
export { phoneReference } from "./phone-reference.ts";
export { composeMessage } from "./raw.ts";
export { relabel } from "./relabel.ts";
export {
  afterAttempt,
  attemptIsUnknown,
  changeLabels,
  checkLabelChange,
  checkLabels,
  forwardSubject,
  replyRecipients,
  replyReferences,
  replySubject,
  type SendProgress,
} from "./rules.ts";
export { type Letter, type SealedLetter, sendLetter } from "./send-letter.ts";
export {
  bodiesOf,
  isHeld,
  showMessage,
  showMessages,
  showSummary,
  truncateBodies,
} from "./show.ts";
export { showDeleted, showSnapshot, snapshotOf } from "./snapshot.ts";
export {
  appendMessage,
  blobHashesOf,
  searchDocument,
  stageBlob,
  storeMessage,
  storeNewMessage,
  textWords,
} from "./store.ts";
export { storeUploads } from "./store-uploads.ts";
export { isReady, term } from "./terms.ts";
export type { InboxCode } from "./wait-for-code.ts";
