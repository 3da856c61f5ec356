/** The last answer, or the error of whichever failed first; no rejection stays unhandled. */
export async function lastAnswer<T>(before: readonly unknown[], last: Promise<T>): Promise<T> {
  const [answered, ...earlier] = await Promise.allSettled([last, ...before]);
  for (const each of earlier) if (each.status === "rejected") throw each.reason;
  if (answered.status === "rejected") throw answered.reason;
  return answered.value;
}
