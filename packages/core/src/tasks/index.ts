export { addTask } from "./add.ts";
export { findTask } from "./find.ts";
export { endLease } from "./lease-job.ts";
export { moveTask } from "./move.ts";
export { moveOwn } from "./move-own.ts";
export { newTask, openTask } from "./open.ts";
export { showTask, wordTask } from "./show.ts";
export { showDeletedTask, showTaskSnapshot, type TaskSnapshot } from "./snapshot.ts";
