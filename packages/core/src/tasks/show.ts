import type { z } from "zod";
import { Task, type TaskRecord } from "./schema.ts";

/** A task as it is shown, in answers and events alike. */
export const showTask = (task: TaskRecord): z.output<typeof Task> => Task.parse(task);
