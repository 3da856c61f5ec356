import assert from "node:assert/strict";
import type { Signals } from "../src/ports/signals.ts";
import { type Kit, type Opened, withFresh } from "./kit.ts";

/**
 * Fresh signals for one test: each member represents one process of the same service. `settle` waits until
 * signals have arrived.
 */
export interface OpenedSignals extends Opened {
  members: Signals[];
  settle(): Promise<void>;
}

/** Checks every promise of the signals port. A signal may be duplicated, so the kit counts "at least". */
export function signalsKit(kit: Kit<OpenedSignals>): void {
  const test = withFresh(kit);

  test("a publish reaches every listener of the channel, in every process, and no other channel", async ({
    members,
    settle,
  }) => {
    const calls = new Map<string, number>();
    const count = (name: string) => () => void calls.set(name, (calls.get(name) ?? 0) + 1);
    for (const [index, member] of members.entries()) {
      await member.subscribe("inbox:a", count(`a${index}`));
      await member.subscribe("inbox:a", count(`also a${index}`));
      await member.subscribe("inbox:b", count(`b${index}`));
    }
    for (const member of members) {
      calls.clear();
      await member.publish(["inbox:a"]);
      await settle();
      assert.deepEqual(
        [...calls.keys()].toSorted(),
        members.flatMap((_, index) => [`a${index}`, `also a${index}`]).toSorted(),
      );
    }
  });

  test("one publish can have many channels", async ({ members, settle }) => {
    const heard = new Set<string>();
    for (const channel of ["a", "b", "c"]) await members[0]?.subscribe(channel, () => heard.add(channel));
    await members.at(-1)?.publish(["a", "c", "nobody's"]);
    await settle();
    assert.deepEqual([...heard].toSorted(), ["a", "c"]);
    await members.at(-1)?.publish([]);
  });

  test("an unsubscribed listener is not called, but other subscriptions of the same function are", async ({
    members,
    settle,
  }) => {
    let calls = 0;
    let signals = 0;
    const listener = () => void calls++;
    const stop = await members[0]?.subscribe("a", listener);
    await members[0]?.subscribe("a", listener);
    stop?.();
    stop?.();
    await members[0]?.subscribe("a", () => void signals++);
    await members[0]?.publish(["a"]);
    await settle();
    assert.ok(signals >= 1);
    assert.equal(calls, signals);
  });

  test("a listener that throws does not affect others", async ({ members, settle }) => {
    let calls = 0;
    await members[0]?.subscribe("a", () => {
      throw new Error("no");
    });
    await members[0]?.subscribe("a", () => void calls++);
    await members[0]?.publish(["a"]);
    await settle();
    assert.ok(calls >= 1);
  });

  test("a listener may subscribe and unsubscribe while it is called", async ({ members, settle }) => {
    const [first] = members;
    let calls = 0;
    let signals = 0;
    await first?.subscribe("a", () => void signals++);
    const stop = await first?.subscribe("a", () => {
      calls++;
      stop?.();
      void first?.subscribe("a", () => void calls++);
    });
    await first?.publish(["a"]);
    await settle();
    await first?.publish(["a"]);
    await settle();
    assert.ok(calls >= 2 && calls <= signals);
  });

  test("unusual channel names work like any other", async ({ members, settle }) => {
    const odd = ["inbox:'; --", "ü🎈", "a b", "x".repeat(200)];
    const heard = new Set<string>();
    for (const channel of odd) await members[0]?.subscribe(channel, () => heard.add(channel));
    await members.at(-1)?.publish(odd);
    await settle();
    assert.equal(heard.size, odd.length);
  });
}
