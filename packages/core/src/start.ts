import { createLetterslot, type Letterslot, type LetterslotConfig } from "./letterslot.ts";
import { startSweeping } from "./sweep.ts";

/** A service that does its own work, until it is closed. */
export interface RunningLetterslot extends Letterslot {
  /**
   * Finishes the work in progress, then closes the storage, queue, signals, transport, webhookHttp and telephony. A second
   * call is as the first.
   */
  close(): Promise<void>;
}

/** Creates a service and runs its work in this process: `createLetterslot`, `work` and `sweep` in one. */
export function startLetterslot(config: LetterslotConfig): RunningLetterslot {
  const letterslot = createLetterslot(config);
  const { storage, queue, signals, transport, webhookHttp, telephony } = letterslot.services;
  const [stopWork, stopSweeping] = [letterslot.work(), startSweeping(letterslot)];
  let closing: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([stopWork(), stopSweeping(), letterslot.writeRefusals()]);
    await Promise.all([queue, signals, transport, webhookHttp, telephony].map((port) => port.close()));
    await storage.close();
  };
  return {
    ...letterslot,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
