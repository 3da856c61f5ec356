/**
 * Tells every process that something changed, so that long polls and streams wake at once. A signal is a
 * hint: it may be doubled.
 */
export interface Signals {
  publish(channels: readonly string[]): Promise<void>;
  /**
   * Calls `listener` after each publish to the channel, in every process. Resolves when the subscription
   * holds.
   */
  subscribe(channel: string, listener: () => void): Promise<() => void>;
  close(): Promise<void>;
}
