import type { CONTENT_TASKS, ContentTask } from "./content-tasks.ts";
import { loadOnce } from "./load-once.ts";

const loadContentTasks = loadOnce(() => import("./content-tasks.ts"));

type Tasks = typeof CONTENT_TASKS;
type ContentTaskName = keyof Tasks;
type Input<N extends ContentTaskName> = Parameters<Tasks[N]["run"]>[0];
type Output<N extends ContentTaskName> = Awaited<ReturnType<Tasks[N]["run"]>>;

/** The units that take about ten milliseconds at most. */
const AT_ONCE = 16 * 1024;

/**
 * Does pure work on content: short content on the calling thread, long content on `worker`'s, if there is one. Fails as
 * the task does.
 */
export async function workOnContent<N extends ContentTaskName>(
  worker: { run(name: string, input: unknown): Promise<unknown> } | undefined,
  name: N,
  input: Input<N>,
): Promise<Output<N>> {
  // With its words and tables it is most of this package, and many programs that import it never read a mail.
  const { CONTENT_TASKS } = await loadContentTasks();
  const { run, length } = CONTENT_TASKS[name] as unknown as ContentTask<Input<N>, Output<N>>;
  if (worker === undefined || length(input) <= AT_ONCE) return run(input);
  return (await worker.run(name, input)) as Output<N>;
}
