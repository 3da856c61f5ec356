/** A value that is created on first use. */
export interface Lazy<T> {
  /** Creates the value, or returns the existing one. After a failure the next call tries again. */
  get(): Promise<T>;
  /** The value if it exists or is being created; undefined before the first `get`. */
  current(): Promise<T> | undefined;
}

/** Creates a value on first use and keeps it. */
export function lazy<T>(create: () => Promise<T>): Lazy<T> {
  let value: Promise<T> | undefined;
  return {
    current: () => value,
    get() {
      value ??= create().catch((error: unknown) => {
        value = undefined;
        throw error;
      });
      return value;
    },
  };
}
