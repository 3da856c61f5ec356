/**
 * The test runner's `test` function: vitest's, node:test's, or any that takes a name and an async function.
 */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** Something that a kit opens, and closes after each test. */
export interface Opened {
  close(): Promise<void>;
}

/** The input of every kit: the runner, and how to open a fresh, isolated instance. */
export interface Kit<T extends Opened> {
  test: TestFunction;
  open(): Promise<T>;
}

/** Creates a `test` whose function gets a fresh instance, which is always closed afterwards. */
export function withFresh<T extends Opened>(
  kit: Kit<T>,
): (name: string, run: (opened: T) => Promise<void>) => void {
  return (name, run) => {
    kit.test(name, async () => {
      const opened = await kit.open();
      try {
        await run(opened);
      } finally {
        await opened.close();
      }
    });
  };
}

/** Runs `count` calls concurrently and returns their results. */
export function race<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** A promise and the function that resolves it, used to block something. */
export function gate(): { passed: Promise<void>; open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
