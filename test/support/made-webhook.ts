/** A webhook that was made or changed at once, and not asked about first. */
export function madeWebhook<A extends { object: string }>(answer: A): Extract<A, { object: "webhook" }> {
  if (answer.object !== "webhook") throw new Error(`It is an ${answer.object}.`);
  return answer as Extract<A, { object: "webhook" }>;
}
