export { endLease } from "./claim.ts";
export { findTask } from "./find.ts";
export { moveOwn, moveTask } from "./move.ts";
export { addTask, openExpiryTask, openTask, taskEvent } from "./open.ts";
export { showTask, wordTask } from "./show.ts";
export { showDeletedTask, showTaskSnapshot } from "./snapshot.ts";
