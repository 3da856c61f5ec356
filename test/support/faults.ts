import { setTimeout as after } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { SeparatePostgres } from "./postgres-server.ts";

/** A fault in a cluster; `strike` resolves when the affected part has recovered. */
export interface Fault {
  name: string;
  /** `meanwhile` is awaited during the outage, if the others can work without the affected part. */
  strike(meanwhile: () => Promise<void>): Promise<void>;
}

/** One round of faults in random order: each process killed, PostgreSQL restarted and frozen, Redis restarted and emptied. */
export function createFaults({ members, postgres, redis }: Cluster, random: () => number): Fault[] {
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
      ? [{ name: "PostgreSQL freezing", strike: () => freezePostgres(postgres) }]
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

/** Longer than the lock timeout, shorter than the statement timeout. */
const FROZEN_MS = 5_000;

/** Freezes PostgreSQL for five seconds. */
export async function freezePostgres(postgres: SeparatePostgres): Promise<void> {
  await postgres.pause();
  await after(FROZEN_MS);
  await postgres.resume();
}
