export { collectBlobs, eraseExport, eraseExportParts, scheduleBlobCollection } from "./collect-blobs.ts";
export { deleteMessages } from "./delete.ts";
export { downloadOf } from "./download.ts";
export type { Explanation } from "./explain.ts";
export { findBody, findMessage } from "./find.ts";
export { listMessages } from "./list.ts";
export { bodyBytes, checkMessageBytes, largestField } from "./message-size.ts";
export { checkSize } from "./outgoing/check-size.ts";
export { truncate } from "./outgoing/code-points.ts";
export { failDraft } from "./outgoing/fail-draft.ts";
export {
  AttachmentInput,
  Attachments,
  Body,
  ContentType,
  Correspondent,
  CustomHeaders,
  Filename,
  type GivenAttachment,
  type GivenFile,
  InlineAttachment,
  isInline,
  isStored,
  LabelList,
  mediaTypeOf,
  Recipients,
  RecipientsOrNumber,
  SendFields,
  Subject,
  withNames,
} from "./outgoing/inputs.ts";
export { stopLoop } from "./outgoing/loop.ts";
export { type Outgoing, queueOutgoing, type ReadBodies, readBodies } from "./outgoing/outgoing.ts";
export { type SealedLetter, sendLetter } from "./outgoing/send-letter.ts";
export { storeUploads } from "./outgoing/store-uploads.ts";
export { checkHasRaw, composeMessage, rawMail } from "./raw.ts";
export { relabel } from "./relabel.ts";
export {
  afterAttempt,
  attemptIsUnknown,
  attentionOf,
  checkLabels,
  forwardSubject,
  isAnsweredByMail,
  isRecipient,
  readProgress,
  replyRecipients,
  replyReferences,
  replySubject,
} from "./rules.ts";
export { bodiesOf, isHeld, showMessage, showMessages, truncateBodies } from "./show.ts";
export { showDeleted, showSnapshot, snapshotOf } from "./snapshot.ts";
export {
  appendMessage,
  blobHashesOf,
  placesOf,
  referenceRecord,
  searchDocument,
  stageBlob,
  storeMessage,
  storeNewMessage,
  textWords,
} from "./store.ts";
export { isReady, term } from "./terms.ts";
export { addToThread, threadIdFor } from "./threading/attach.ts";
export { findThread } from "./threading/find-thread.ts";
export { publishFolder } from "./threading/folder.ts";
export { awaitReferences, findAwaitingThreads, isAwaited, joinThreads } from "./threading/join-threads.ts";
export { readParentText } from "./threading/parent-text.ts";
export { phoneReference } from "./threading/phone-reference.ts";
export { refreshPreview } from "./threading/recount-thread.ts";
export { isReferredTo, referencesOf } from "./threading/references.ts";
export { findTrashed, listTrash, trashedToRestore, withTrashFields } from "./trash/find-trash.ts";
export { Permanent, TrashFolder } from "./trash/inputs.ts";
export { dropTrash, makeRoom, purgeTrash } from "./trash/purge-trash.ts";
export { checkMayRestore, checkPermanent, deletedBy } from "./trash/rules.ts";
export { noteSentInTrash, trashedBy } from "./trash/trash-messages.ts";
export type { InboxCode } from "./wait-for-code.ts";
