/** Loads a module at its first use and keeps it: `import()` looks it up at every call. A load that failed is tried again. */
export function loadOnce<M>(load: () => Promise<M>): () => Promise<M> {
  let loaded: Promise<M> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
