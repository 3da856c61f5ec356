import { describe, expect, test } from "vitest";
import {
  blobsKit,
  dnsZoneKit,
  objectsKit,
  queueKit,
  signalsKit,
  transportKit,
} from "../conformance/index.ts";
import { createLocalQueue } from "../src/ports/local/local-queue.ts";
import { createLocalSignals } from "../src/ports/local/local-signals.ts";
import { createManualClock } from "./manual-clock.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";
import { createMemoryDnsZones, MEMORY_DNS_CREDENTIALS, type MemoryDnsZones } from "./memory-dns-zones.ts";
import { createMemoryObjects } from "./memory-objects.ts";
import { createMemoryTransport } from "./memory-transport.ts";

describe("blobs in memory", () => {
  blobsKit({
    test,
    async open() {
      const clock = createManualClock();
      return { blobs: createMemoryBlobs(clock), now: clock.now, advance: clock.advance, async close() {} };
    },
  });
});

describe("objects in memory", () => {
  objectsKit({
    test,
    async open() {
      const objects = createMemoryObjects();
      const damage = async (name: string, bytes: Uint8Array) => void objects.stored.set(name, bytes);
      return { objects, damage, secrets: [], async close() {} };
    },
  });
});

describe("the queue in memory", () => {
  queueKit({
    test,
    async open() {
      const clock = createManualClock();
      const queue = createLocalQueue({ clock });
      return { queue, now: clock.now, advance: clock.advance, close: () => queue.close() };
    },
  });
});

describe("signals in memory", () => {
  signalsKit({
    test,
    async open() {
      const signals = createLocalSignals();
      return { members: [signals], async settle() {}, close: () => signals.close() };
    },
  });
});

describe("the transport in memory", () => {
  transportKit({
    test,
    async open() {
      const transport = createMemoryTransport();
      return {
        transport,
        async received() {
          return transport.sent.map(({ envelope, raw }) => ({
            recipients: envelope.rcpt_to.filter((recipient) => !transport.refused(recipient)),
            raw: new TextDecoder().decode(raw),
          }));
        },
        async refuse(recipient, outcome) {
          transport.refuse(recipient, outcome);
        },
        close: () => transport.close(),
      };
    },
  });
});

describe("the manual clock", () => {
  test("timers run in order, each at its own time", async () => {
    const clock = createManualClock(new Date(0));
    const seen: [string, number][] = [];
    const note = (name: string) => () => void seen.push([name, clock.now().getTime()]);
    clock.after(20, note("second"));
    clock.after(10, () => {
      note("first")();
      clock.after(5, note("between"));
    });
    clock.after(15, note("called off"))();
    clock.after(31, note("later"));
    await clock.advance(30);
    expect(seen).toEqual([
      ["first", 10],
      ["between", 15],
      ["second", 20],
    ]);
    expect(clock.now()).toEqual(new Date(30));
  });

  test("setting the wall time moves no timer", async () => {
    const clock = createManualClock(new Date(0));
    let rang = false;
    clock.after(100, () => {
      rang = true;
    });
    clock.set(new Date("2030-01-01T00:00:00.000Z"));
    await clock.advance(50);
    expect(rang).toBe(false);
    expect(clock.now()).toEqual(new Date("2030-01-01T00:00:00.050Z"));
    await clock.advance(50);
    expect(rang).toBe(true);
  });
});

describe("the zones in memory", () => {
  dnsZoneKit({
    test,
    async open() {
      const [zones, gone] = [createMemoryDnsZones(), createMemoryDnsZones()];
      gone.failWith("dns_provider_unreachable");
      const apex = "example.com";
      const records = zones.records(apex);
      const openWith = (provider: MemoryDnsZones, api_token: string, domain = apex) =>
        provider.open({ provider: "cloudflare", zone: null, domain, credentials: { api_token } });
      return {
        zone: openWith(zones, MEMORY_DNS_CREDENTIALS.write, `mail.${apex}`),
        apex,
        put: async (...own) => void records.push(...own),
        stranger: openWith(zones, "stranger"),
        reader: openWith(zones, MEMORY_DNS_CREDENTIALS.read),
        elsewhere: openWith(zones, MEMORY_DNS_CREDENTIALS.write, "example.org"),
        silent: openWith(gone, MEMORY_DNS_CREDENTIALS.write),
        secrets: ["stranger", ...Object.values(MEMORY_DNS_CREDENTIALS)],
        async close() {},
      };
    },
  });
});
