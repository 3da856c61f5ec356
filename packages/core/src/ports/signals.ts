/**
 * Tells every process that something changed, so that long polls and streams wake at once. A signal is a hint
 * and may be duplicated.
 */
export interface Signals {
  publish(channels: readonly string[]): Promise<void>;
  /**
   * Calls `listener` after each publish to the channel in any process. Resolves once the subscription is
   * active.
   */
  subscribe(channel: string, listener: () => void): Promise<() => void>;
  close(): Promise<void>;
}
