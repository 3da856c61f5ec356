import { type ContentWorker, fail, isErrorCode } from "@letterslot/core/ports";
import { createTaskThread } from "../request/task-thread.ts";
import type { ContentAnswer, ContentTask } from "./content-worker.ts";

/** Works on long content in a thread, one task at a time, so that the event loop is free meanwhile. */
export function createContentWorker(): ContentWorker {
  const thread = createTaskThread<ContentTask, ContentAnswer>(workerFile);
  return {
    async run(name, input) {
      const answer = await thread.ask({ name, input });
      if ("value" in answer) return answer.value;
      const { code, param, message } = answer.failure;
      // Errors lose their code between threads.
      if (code !== null && isErrorCode(code)) throw fail(code, param === null ? {} : { param });
      throw new Error(`the content worker failed: ${message}`);
    },
  };
}

/** The worker beside this file: TypeScript from source, JavaScript when built. */
const workerFile = (): URL => new URL("./content-worker.ts", import.meta.url); // built: ./content-worker.js
