import { type Finding, failed, ok, reasonOf, warning } from "./checks.ts";

/** Another clock's time, and its owner. */
export interface OtherClock {
  whose: string;
  /** The time by which this machine's clock is ahead of the other, in milliseconds; negative when it is behind. */
  ahead_ms: number;
}

/** The difference beyond which receivers of webhooks refuse signatures. */
const FAILED_MS = 300_000;
const WARNING_MS = 30_000;

/** Compares this machine's clock with the others. The nearest counts: one of them may be wrong itself. */
export function judgeClock(others: readonly OtherClock[]): Finding {
  const nearest = others.toSorted((a, b) => Math.abs(a.ahead_ms) - Math.abs(b.ahead_ms))[0];
  if (nearest === undefined) return ok("There is no other clock to compare this machine's with.");
  const off = Math.abs(nearest.ahead_ms);
  const side = nearest.ahead_ms > 0 ? "ahead of" : "behind";
  const says = `This machine's clock is ${Math.round(off / 1000)} s ${side} that of ${nearest.whose}.`;
  const fix =
    "Set the clock and keep it right with NTP (timedatectl set-ntp true): codes, links and signatures have times.";
  if (off > FAILED_MS) return failed(says, fix);
  return off > WARNING_MS ? warning(says, fix) : ok(says);
}

/** The clock of a host that answers HTTP; undefined if it doesn't say what time it is. */
export async function clockOf(url: string, signal: AbortSignal): Promise<OtherClock | undefined> {
  const asked = Date.now();
  const answer = await fetch(url, { method: "HEAD", redirect: "manual", signal });
  const answered = Date.now();
  const date = Date.parse(answer.headers.get("date") ?? "");
  if (Number.isNaN(date)) return undefined;
  // A Date header has whole seconds, so that it is half a second old on average.
  return { whose: new URL(url).host, ahead_ms: (asked + answered) / 2 - (date + 500) };
}

/** The clocks of those that answer, and why others don't. */
export async function clocksOf(
  urls: readonly string[],
  signal: AbortSignal,
): Promise<{ clocks: OtherClock[]; troubles: string[] }> {
  const asked = await Promise.allSettled(urls.map((url) => clockOf(url, signal)));
  return {
    clocks: asked.flatMap((each) =>
      each.status === "fulfilled" && each.value !== undefined ? [each.value] : [],
    ),
    troubles: asked.flatMap((each, index) =>
      each.status === "rejected" ? [`${urls[index]}: ${reasonOf(each.reason)}`] : [],
    ),
  };
}
