import { setTimeout as after } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { OwnPostgres } from "./postgres-server.ts";

/** Something that goes wrong in a cluster; `strike` resolves when what it struck is there again. */
export interface Fault {
  name: string;
  /** `meanwhile` is awaited while what was struck is away, where the others can do without it. */
  strike(meanwhile: () => Promise<void>): Promise<void>;
}

/**
 * One round of what can go wrong: each process killed, PostgreSQL restarted and frozen, Redis restarted and
 * emptied; in an order of the seed's.
 */
export function roundOfFaults({ members, postgres, redis }: Cluster, random: () => number): Fault[] {
  const faults: Fault[] = [
    ...members.map((member) => ({
      name: `kill -9 of ${member.name}`,
      strike: () => member.restart("SIGKILL"),
    })),
    {
      name: "PostgreSQL stopping at once",
      async strike() {
        await postgres.stop();
        await postgres.start();
      },
    },
    ...(process.platform === "linux"
      ? [{ name: "PostgreSQL freezing", strike: () => frozen(postgres) }]
      : []),
    {
      name: "Redis restarting",
      async strike(meanwhile) {
        await redis.kill();
        await meanwhile();
        await redis.start();
      },
    },
    { name: "FLUSHALL", strike: async () => void (await redis.command("FLUSHALL")) },
  ];
  return faults
    .map((fault) => ({ fault, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ fault }) => fault);
}

/** Longer than a lock is waited for, shorter than a statement. */
const FROZEN_MS = 5_000;

/** Freezes PostgreSQL for five seconds. */
export async function frozen(postgres: OwnPostgres): Promise<void> {
  await postgres.pause();
  await after(FROZEN_MS);
  await postgres.resume();
}
