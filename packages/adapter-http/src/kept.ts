/** Something that is made when it is first asked for. */
export interface Kept<T> {
  /** Makes it, or answers what was made. What failed is not kept: the next call tries again. */
  get(): Promise<T>;
  /** What was made, or is being made; undefined while nobody has asked. */
  made(): Promise<T> | undefined;
}

/** Keeps what `make` makes. */
export function kept<T>(make: () => Promise<T>): Kept<T> {
  let made: Promise<T> | undefined;
  return {
    made: () => made,
    get() {
      made ??= make().catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return made;
    },
  };
}
