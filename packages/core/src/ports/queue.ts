/**
 * Wakes workers. Due jobs are in storage, so a lost, late or duplicate wake-up does no harm; a periodic sweep
 * finds what was missed.
 */
export interface Queue {
  /** Requests that some worker, in this process or another, look for due jobs at that time. */
  send(wake_at: Date): Promise<void>;
  /**
   * Calls `handler` at each wake-up, one call at a time. The returned function stops this and waits for the
   * current call.
   */
  work(handler: () => Promise<void>): () => Promise<void>;
  close(): Promise<void>;
}
