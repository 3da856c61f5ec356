interface Waiting<T> {
  item: T;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Writes one batch at a time: what comes while one is being written goes with the next, at most `most` at once. Each caller is
 * answered when its batch is written, or with what the batch failed with.
 */
export function together<T>(write: (items: T[]) => Promise<void>, most: number): (item: T) => Promise<void> {
  const waiting: Waiting<T>[] = [];
  let writing = false;

  const drain = async () => {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      await write(batch.map(({ item }) => item)).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      );
    }
    writing = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!writing) void drain();
    });
}
