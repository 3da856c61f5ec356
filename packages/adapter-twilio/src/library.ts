/** Twilio's library. */
export type Twilio = Awaited<ReturnType<typeof loadTwilio>>;

/** Loads Twilio's library, which takes a third of a second and 30 MB: only who uses Twilio has it. */
export async function loadTwilio() {
  const { default: library } = await import("twilio");
  return library;
}
