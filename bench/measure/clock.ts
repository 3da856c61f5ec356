/** Milliseconds that processes of one machine agree on, with parts of them. */
export const sharedNow = (): number => performance.timeOrigin + performance.now();
