/**
 * Does pure work on the content of mail on another thread, so that long content doesn't hold the event loop: the
 * tasks of `@letterslot/core/mail`. Without one they run on the calling thread.
 */
export interface ContentWorker {
  /**
   * Runs a task by its name, as `runContentTask` does, and resolves to its result. Fails as the task does. The
   * input is copied.
   */
  run(name: string, input: unknown): Promise<unknown>;
}
