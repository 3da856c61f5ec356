import type { Storage } from "../../packages/core/src/ports/storage.ts";

/** A storage of a process that can die, after which its calls have no effect. */
export interface MortalStorage {
  storage: Storage;
  /** Lets the process die before the given call, counted from 1, including calls within transactions. */
  dieBefore(call: number): void;
  /** Starts another process. Returns whether the first one had died. */
  revive(): boolean;
}

/** Simulates a process that dies between two storage calls; an open transaction is rolled back, as in a database. */
export function createMortalStorage(living: Storage): MortalStorage {
  let left = Number.POSITIVE_INFINITY;

  const passes = () => {
    left -= 1;
    if (left <= 0) throw new Error("the process is dead");
  };
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, name) {
        const verb: unknown = Reflect.get(from, name);
        if (typeof verb !== "function") return verb;
        return async (...given: unknown[]) => {
          passes();
          return Reflect.apply(verb, from, given) as unknown;
        };
      },
    });
  const whole = counted(living);
  const storage: Storage = {
    ...{ get: whole.get, follow: whole.follow, find: whole.find, count: whole.count, search: whole.search },
    ...{ insert: whole.insert, update: whole.update, delete: whole.delete, ping: whole.ping },
    close: () => living.close(),
    async transaction(run) {
      passes();
      return living.transaction(async (tx) => {
        const { append, index, unindex } = tx;
        const result = await run({ ...counted(tx), append, index, unindex });
        passes(); // Before its commit.
        return result;
      });
    },
  };
  return {
    storage,
    dieBefore(call) {
      left = call;
    },
    revive() {
      const died = left <= 0;
      left = Number.POSITIVE_INFINITY;
      return died;
    },
  };
}
