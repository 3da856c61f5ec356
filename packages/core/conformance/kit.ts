/** The runner's own `test`: vitest's, node:test's, or any that takes a name and an async function. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** Something that a kit opened and closes again after each test. */
export interface Opened {
  close(): Promise<void>;
}

/** What every kit takes: the runner, and how to open a fresh, isolated instance. */
export interface Kit<T extends Opened> {
  test: TestFunction;
  open(): Promise<T>;
}

/** A `test` whose function gets a fresh instance, closed however it ends. */
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

/** Runs `count` calls at once and answers what each came to. */
export function race<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** A promise and what settles it, to hold something up. */
export function gate(): { passed: Promise<void>; open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
