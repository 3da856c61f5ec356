import { Pool } from "undici";
import { eventData } from "../mail/event-data.ts";
import { startCpuTimer } from "../measure/process-cost.ts";
import { serveCalls } from "../measure/program.ts";

const CONNECTIONS = 50;

/** A bare HTTP client. */
export const calls = {
  /** Posts the body of an event as fast as answers arrive. */
  async post({ url, ms }: { url: string; ms: number }) {
    const { origin, pathname: path } = new URL(url);
    const pool = new Pool(origin, { connections: CONNECTIONS });
    const body = JSON.stringify(eventData(0));
    const headers = { "content-type": "application/json" };
    const cpu = startCpuTimer();
    const began = performance.now();
    let done = 0;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (; performance.now() - began < ms; done++) {
          const answer = await pool.request({ path, method: "POST", headers, body });
          await answer.body.dump();
        }
      }),
    );
    const round = { done, ms: performance.now() - began, cpu_us: cpu() };
    await pool.close();
    return round;
  },
};

serveCalls(calls);
