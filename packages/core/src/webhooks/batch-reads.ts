/**
 * Asks in one go for what is asked for one by one: the keys of one turn of the event loop go to `load`
 * together. Jobs are started many at a time, so what each of them reads costs one query for all.
 */
export function batchReads<V>(
  load: (keys: string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  let keys = new Set<string>();
  let answer: Promise<ReadonlyMap<string, V>> | undefined;

  const ask = async (): Promise<ReadonlyMap<string, V>> => {
    await Promise.resolve();
    const asked = [...keys];
    keys = new Set();
    answer = undefined;
    return load(asked);
  };

  return async (key) => {
    keys.add(key);
    answer ??= ask();
    return (await answer).get(key);
  };
}
