/**
 * Wakes workers. What is due is in storage, so a wake-up may be lost, late or doubled without harm; a sweep
 * finds what no wake-up told of.
 */
export interface Queue {
  /** Asks that some worker look for due jobs at that time, in this process or another. */
  send(wake_at: Date): Promise<void>;
  /**
   * Calls `handler` at each wake-up, one call at a time, until the answered function is called; that waits
   * for the call under way.
   */
  work(handler: () => Promise<void>): () => Promise<void>;
  close(): Promise<void>;
}
